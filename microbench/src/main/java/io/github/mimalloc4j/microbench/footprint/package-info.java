/**
 * The command {@code footprint}: what allocators hold while a program's need of memory comes and
 * goes.
 *
 * <p>{@link io.github.mimalloc4j.microbench.footprint.FootprintCommand} starts a JVM for each
 * allocator. There, a run goes through the phases one after the other while a sampler takes note of
 * the memory. The command reads the samples of all and makes a page of them.
 *
 * <p>Three measures, in bytes. <em>Live</em>: the capacities of the buffers that the program has
 * not released, counted by the program itself. <em>Used</em>: what the allocator holds, by its own
 * metric. <em>Resident</em>: what the process has in the machine's memory beside its Java heap, by
 * the system.
 *
 * <p>A {@link io.github.mimalloc4j.microbench.footprint.BurstsRun} is another measurement: of what
 * stays resident after each of several bursts alone.
 */
@NullMarked
package io.github.mimalloc4j.microbench.footprint;

import org.jspecify.annotations.NullMarked;
