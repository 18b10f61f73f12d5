/**
 * A {@link io.netty.buffer.ByteBufAllocator} on mimalloc4j's core: the public API.
 *
 * <p>The implementation is in packages that the module does not export to programs, except for
 * micrometer and blockhound. Dependencies point down only:
 *
 * <pre>
 *   agent, spring, bootstrap   ways to select the allocator without a call
 *   redirection, micrometer    what changed classes of Netty and Vert.x call; meters
 *   blockhound                 integration for BlockHound
 *   netty            {@link io.github.mimalloc4j.netty.MiMallocByteBufAllocator} and its builder
 *   ├─ installation  activation from within the application
 *   ├─ debugging     guards for the debugging options
 *   ├─ threads       the mapping of the current thread to a heap of the core, for each kind of memory
 *   ├─ buffers       the blocks of the core, which are the buffers themselves
 *   ├─ figures       metrics as text, JSON and management beans
 *   ├─ options       system properties and settings
 *   ├─ system        the C library's heap and resident memory
 *   └─ events        Flight Recorder events, defined in jfr, and the log
 *   activation       changes class files, and refers to nothing else in the library
 * </pre>
 */
@NullMarked
package io.github.mimalloc4j.netty;

import org.jspecify.annotations.NullMarked;
