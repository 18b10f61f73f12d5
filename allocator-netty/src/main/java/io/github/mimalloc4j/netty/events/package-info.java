/**
 * Events of an allocator's memory, for Flight Recorder and the log. The event classes are in {@code
 * jfr}, because they must not be loaded without Flight Recorder. It knows the core and Netty's
 * buffers, and none of this module's above it.
 */
@NullMarked
package io.github.mimalloc4j.netty.events;

import org.jspecify.annotations.NullMarked;
