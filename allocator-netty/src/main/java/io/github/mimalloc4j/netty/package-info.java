/**
 * A {@link io.netty.buffer.ByteBufAllocator} on mimalloc4j's core: the public API.
 *
 * <p>The implementation is in packages that the module does not export. Dependencies point down
 * only:
 *
 * <pre>
 *   netty          {@link io.github.mimalloc4j.netty.MiMallocByteBufAllocator} and its builder
 *   ├─ debugging   guards for the debugging options
 *   ├─ threads     the mapping of the current thread to a heap of the core, for each kind of memory
 *   ├─ buffers     the blocks of the core, which are the buffers themselves
 *   ├─ figures     metrics as text, JSON and management beans
 *   ├─ options     system properties and settings
 *   ├─ system      the C library's heap and resident memory
 *   └─ events      Flight Recorder events, defined in jfr, and the log
 * </pre>
 */
@NullMarked
package io.github.mimalloc4j.netty;

import org.jspecify.annotations.NullMarked;
