/**
 * Events of an allocator's memory, for Flight Recorder and the log. The event classes are in {@code
 * jfr}, because they must not be loaded without Flight Recorder. This is the lowest layer: it knows
 * neither buffers nor thread heaps.
 */
@NullMarked
package io.github.mimalloc4j.netty.events;

import org.jspecify.annotations.NullMarked;
