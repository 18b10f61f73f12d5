/**
 * The command {@code compare}: a table of a few JMH benchmarks, or all, with three allocators, each
 * figure from its own JVM.
 */
@NullMarked
package io.github.mimalloc4j.microbench.compare;

import org.jspecify.annotations.NullMarked;
