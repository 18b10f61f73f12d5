package io.github.mimalloc4j.microbench.footprint;

import org.jspecify.annotations.Nullable;

/**
 * The memory at one moment.
 *
 * @param micros microseconds since the run began
 * @param phase what the program was doing
 * @param used bytes that the allocator held
 * @param live bytes that the program had not released
 * @param resident bytes that the process had in the machine's memory; null where the system does
 *     not tell
 */
record Sample(long micros, Phase phase, long used, long live, @Nullable Long resident) {}
