/**
 * A {@link io.netty.buffer.ByteBufAllocator} on mimalloc4j's core: what users see, and nothing
 * else.
 *
 * <p>Behind it are packages that no module exports. Dependencies point down only:
 *
 * <pre>
 *   netty          {@link io.github.mimalloc4j.netty.MiMallocByteBufAllocator} and its builder
 *   ├─ debugging   guards for the options for debugging
 *   ├─ threads     from the current thread to a heap of the core, for direct and for heap memory each
 *   ├─ buffers     the blocks of the core, which are the buffers themselves
 *   ├─ figures     what a metric is printed as, and management beans
 *   ├─ options     system properties and settings
 *   └─ events      Flight Recorder, by way of jfr, and the log
 * </pre>
 */
@NullMarked
package io.github.mimalloc4j.netty;

import org.jspecify.annotations.NullMarked;
