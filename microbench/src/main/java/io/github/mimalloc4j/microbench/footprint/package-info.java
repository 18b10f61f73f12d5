/**
 * The command {@code footprint}: the memory that allocators hold while a program needs more and
 * less of it.
 *
 * <p>{@link io.github.mimalloc4j.microbench.footprint.FootprintCommand} starts a JVM for each
 * allocator. A run goes through the phases one after the other while a sampler records the memory.
 * The command writes a web page from the samples of all allocators.
 *
 * <p>There are three measures, in bytes. <em>Live</em>: the capacities of the buffers that the
 * program has not released, counted by the program itself. <em>Used</em>: what the allocator holds,
 * by its own metric. <em>Resident</em>: the resident memory of the process without its Java heap,
 * as reported by the system.
 *
 * <p>A {@link io.github.mimalloc4j.microbench.footprint.BurstsRun} is a separate measurement, of
 * the memory that stays resident after each of several bursts.
 */
@NullMarked
package io.github.mimalloc4j.microbench.footprint;

import org.jspecify.annotations.NullMarked;
