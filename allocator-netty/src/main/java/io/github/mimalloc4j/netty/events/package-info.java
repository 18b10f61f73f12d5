/**
 * What happens to an allocator's memory, told to Flight Recorder and to the log. The classes of the
 * events are in {@code jfr}, apart, for they must not be loaded where there is no Flight Recorder.
 * This is the lowest layer: it knows neither buffers nor heaps of threads.
 */
@NullMarked
package io.github.mimalloc4j.netty.events;

import org.jspecify.annotations.NullMarked;
