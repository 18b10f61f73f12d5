package io.github.mimalloc4j.microbench.replay;

import org.jspecify.annotations.Nullable;

/**
 * The memory at one moment, in bytes.
 *
 * @param micros since the sampling began, or since the samples before were taken
 * @param used what the allocator holds, by its own metric; null if it has none
 * @param resident what the process has in the machine's memory beside its Java heap; null where the
 *     system does not tell
 */
record MemorySample(long micros, @Nullable Long used, @Nullable Long resident) {}
