/**
 * What the commands of the benchmark jar have in common.
 *
 * <p>A command is a subclass of {@link io.github.mimalloc4j.microbench.command.AbstractCommand}
 * with picocli's annotations: its options are fields, and {@code call()} does the work. {@link
 * io.github.mimalloc4j.microbench.command.CommandLines} parses command lines and reports errors in
 * the same way for all commands.
 */
@NullMarked
package io.github.mimalloc4j.microbench.command;

import org.jspecify.annotations.NullMarked;
