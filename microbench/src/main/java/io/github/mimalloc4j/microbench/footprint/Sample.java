package io.github.mimalloc4j.microbench.footprint;

import org.jspecify.annotations.Nullable;

/**
 * The memory at one moment, in bytes, and what the program was doing.
 *
 * @param micros since the run began
 * @param used what the allocator holds, by its own metric; null if it has none
 * @param resident beside the Java heap; null where the system does not tell
 */
record Sample(long micros, Phase phase, @Nullable Long used, long live, @Nullable Long resident) {}
