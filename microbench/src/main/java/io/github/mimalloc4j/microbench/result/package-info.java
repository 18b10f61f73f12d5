/**
 * What the results of all commands have in common: the {@link
 * io.github.mimalloc4j.microbench.result.FileFormat} that writes and reads them, the {@link
 * io.github.mimalloc4j.microbench.result.Setup} that they were measured with, the {@link
 * io.github.mimalloc4j.microbench.result.Spread} of a few values, and the {@link
 * io.github.mimalloc4j.microbench.result.CommandReport} that shows them. {@link
 * io.github.mimalloc4j.microbench.result.Operations} is the report of single operations, whether
 * {@code compare} or JMH alone measured them.
 *
 * <p>A new command has a record of its results with a format, and a report; the format is added to
 * the list in {@code ResultFiles}.
 */
@NullMarked
package io.github.mimalloc4j.microbench.result;

import org.jspecify.annotations.NullMarked;
