/**
 * The command {@code report}: results of JMH, and of the commands {@code latency}, {@code
 * end-to-end} and {@code footprint}, as a web page and as tables in Markdown.
 *
 * <p>{@link io.github.mimalloc4j.microbench.report.ResultFiles} reads {@link
 * io.github.mimalloc4j.microbench.report.Result}s, each of which is one allocator's. {@link
 * io.github.mimalloc4j.microbench.report.Comparisons} puts those side by side that differ in the
 * allocator only; what is shown of JMH's results comes from there. Of the other commands' results,
 * each is a {@link io.github.mimalloc4j.microbench.result.CommandReport}.
 */
@NullMarked
package io.github.mimalloc4j.microbench.report;

import org.jspecify.annotations.NullMarked;
