package io.github.mimalloc4j.microbench.footprint;

import org.jspecify.annotations.Nullable;

/**
 * The memory at one moment, in bytes, and what the program was doing.
 *
 * @param micros since the run began
 * @param resident beside the Java heap; null where the system does not tell
 */
record Sample(long micros, Phase phase, long used, long live, @Nullable Long resident) {}
