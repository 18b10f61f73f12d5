/**
 * What every command of the benchmark jar shares.
 *
 * <p>A command is a subclass of {@link io.github.mimalloc4j.microbench.command.AbstractCommand}
 * with picocli's annotations: its options are fields, and {@code call()} does the work. {@link
 * io.github.mimalloc4j.microbench.command.CommandLines} settles how command lines are read and how
 * errors are told, the same for all of them.
 */
@NullMarked
package io.github.mimalloc4j.microbench.command;

import org.jspecify.annotations.NullMarked;
