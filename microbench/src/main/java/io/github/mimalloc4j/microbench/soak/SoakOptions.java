package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.allocator.BufferKind;
import java.time.Duration;
import java.util.List;

/**
 * How long and how much.
 *
 * @param time after which it ends
 * @param operations after which it ends, if it comes to that earlier
 * @param seed of all decisions
 * @param kinds where buffers lie
 * @param threads how many of each kind of thread
 * @param liveBytes about how many bytes are live at most
 * @param pauseEvery the time from one pause to the next
 */
record SoakOptions(
    Duration time,
    long operations,
    long seed,
    List<BufferKind> kinds,
    int threads,
    long liveBytes,
    Duration pauseEvery) {}
