/**
 * The HTTP server under load, with one allocator after the other.
 *
 * <p>{@link io.github.mimalloc4j.microbench.endtoend.EndToEndCommand} starts a server for each
 * allocator, in a JVM of its own. All servers stay up to the end; one at a time is under load. A
 * <em>round</em> loads each of them once for the same time, in an order that changes from round to
 * round, and ratios are taken within a round: what disturbs the machine for a while disturbs all.
 *
 * <p>Servers that stay up were found fairer than new ones for each round. A server is a program
 * that runs for long: its code is compiled once, and its memory has a history. New ones would be
 * measured while they compile, on a slow machine for the whole of a round. An idle server has no
 * work to do, so it takes nothing from the one under load but memory. The price is that a decision
 * of the compiler, good or bad, lasts for all rounds of a run; a figure for publication needs more
 * runs than one.
 */
@NullMarked
package io.github.mimalloc4j.microbench.endtoend;

import org.jspecify.annotations.NullMarked;
