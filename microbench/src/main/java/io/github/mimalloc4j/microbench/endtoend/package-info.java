/**
 * The applications under load, with one allocator after the other.
 *
 * <p>{@link io.github.mimalloc4j.microbench.endtoend.EndToEndCommand} measures in rounds. A round
 * starts a fresh server for each allocator, in a JVM of its own, and loads one at a time, in an
 * order that changes from round to round; an idle server takes nothing from the one under load but
 * memory. Ratios are taken within a round: what disturbs the machine for a while disturbs all. A
 * JVM is one sample, because a decision of its compiler, good or bad, lasts as long as it runs:
 * figures of the same code were seen to differ by 15 %.
 *
 * <p>Each server is loaded twice. In the {@code ClosedLoop} it sets the pace, which says what it
 * can do, and what that costs. In the {@code OpenLoop} a clock does, at a rate that all of them
 * sustain, which says how long users wait.
 *
 * <p>{@link io.github.mimalloc4j.microbench.endtoend.ApplicationServerCommand} is what runs in a
 * server's JVM.
 */
@NullMarked
package io.github.mimalloc4j.microbench.endtoend;

import org.jspecify.annotations.NullMarked;
