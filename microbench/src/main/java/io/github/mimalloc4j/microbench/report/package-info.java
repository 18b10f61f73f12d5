/**
 * The command {@code report}: shows results of JMH and of other commands as a web page and as
 * tables in Markdown.
 *
 * <p>{@link io.github.mimalloc4j.microbench.report.ResultFiles} reads {@link
 * io.github.mimalloc4j.microbench.report.JmhResult}s, each of one allocator. {@link
 * io.github.mimalloc4j.microbench.report.JmhReport} groups those that differ only in the allocator.
 * The results of each other command are a {@link
 * io.github.mimalloc4j.microbench.result.CommandReport}.
 */
@NullMarked
package io.github.mimalloc4j.microbench.report;

import org.jspecify.annotations.NullMarked;
