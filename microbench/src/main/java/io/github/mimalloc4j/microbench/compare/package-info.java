/**
 * The command {@code compare}: a few of the JMH benchmarks with three allocators, each figure from
 * a JVM of its own, as one table.
 */
@NullMarked
package io.github.mimalloc4j.microbench.compare;

import org.jspecify.annotations.NullMarked;
