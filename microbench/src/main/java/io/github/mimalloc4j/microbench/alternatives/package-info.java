/**
 * Ways that the allocator could go and does not, measured so that nobody has to wonder. Not part of
 * any comparison.
 */
@NullMarked
package io.github.mimalloc4j.microbench.alternatives;

import org.jspecify.annotations.NullMarked;
