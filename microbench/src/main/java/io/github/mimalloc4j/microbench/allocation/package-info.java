/** Benchmarks of one thread that allocates and releases, one by one, in batches, by lifetime. */
@NullMarked
package io.github.mimalloc4j.microbench.allocation;

import org.jspecify.annotations.NullMarked;
