package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import org.jspecify.annotations.Nullable;

/**
 * One load of one server.
 *
 * @param round from 0
 * @param allocator the server's
 * @param load what the client found
 * @param cpuSeconds processor time of the server's process meanwhile, the compiler's and the
 *     collector's threads included; null where the system does not tell
 * @param peak the most memory that the server told meanwhile
 */
record Round(
    int round,
    AllocatorKind allocator,
    LoadResult load,
    @Nullable Double cpuSeconds,
    ServerMemory peak) {}
