/**
 * The command {@code report}: results of JMH, and of the command {@code latency}, as a web page and
 * as a table in Markdown.
 *
 * <p>{@link io.github.mimalloc4j.microbench.report.ResultFiles} reads {@link
 * io.github.mimalloc4j.microbench.report.Result}s, each of which is one allocator's. {@link
 * io.github.mimalloc4j.microbench.report.Comparisons} puts those side by side that differ in the
 * allocator only; everything that is shown comes from there.
 */
@NullMarked
package io.github.mimalloc4j.microbench.report;

import org.jspecify.annotations.NullMarked;
