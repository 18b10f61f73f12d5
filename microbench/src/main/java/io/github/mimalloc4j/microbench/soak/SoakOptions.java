package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.allocator.BufferKind;
import java.time.Duration;
import java.util.List;

/** The time or the operations after which a soak ends, and how much of what it does. */
record SoakOptions(
    Duration time,
    long operations,
    long seed,
    List<BufferKind> kinds,
    int threadsOfEachKind,
    long liveBytes,
    Duration pauseEvery) {}
