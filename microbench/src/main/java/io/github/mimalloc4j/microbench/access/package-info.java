/** Benchmarks of what one does with a buffer that one has: its bytes and its reference count. */
@NullMarked
package io.github.mimalloc4j.microbench.access;

import org.jspecify.annotations.NullMarked;
