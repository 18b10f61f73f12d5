package io.github.mimalloc4j.microbench.trace;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a recording tells beside its buffers.
 *
 * @param file its name
 * @param seconds from the first event to the last, of buffers and of the JVM
 * @param allocators by the names of their classes, how many allocations they recorded
 * @param lostBytes of events that Flight Recorder says it dropped; it does not notice all
 * @param cores how many processors' time the process took on average; null if that is not recorded
 * @param collections garbage collections
 */
public record RecordedFacts(
    String file,
    double seconds,
    Map<String, Long> allocators,
    long lostBytes,
    @Nullable Double cores,
    int collections) {}
