/**
 * The command {@code compare}: a table of a few JMH benchmarks, or all, with three allocators, each
 * figure from its own JVM.
 *
 * <p>{@link io.github.mimalloc4j.microbench.compare.Operations} is the report of single operations,
 * also of those that JMH measured without this command.
 */
@NullMarked
package io.github.mimalloc4j.microbench.compare;

import org.jspecify.annotations.NullMarked;
