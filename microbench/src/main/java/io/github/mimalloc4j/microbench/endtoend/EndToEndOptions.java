package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What the user asked for.
 *
 * @param allocators in the order of the first round
 * @param time of one load
 * @param rounds that count
 * @param warmup rounds before those
 * @param connections at a time
 * @param tool what makes the load
 * @param tls whether over TLS
 * @param output the file for the JSON
 */
record EndToEndOptions(
    List<AllocatorKind> allocators,
    Duration time,
    int rounds,
    int warmup,
    int connections,
    LoadTool tool,
    boolean tls,
    Path output) {}
