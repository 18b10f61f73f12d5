/**
 * A {@link io.netty.buffer.ByteBufAllocator} on mimalloc4j's core.
 *
 * <p>{@link io.github.mimalloc4j.netty.MiMallocByteBufAllocator} is what users see. Behind it
 * stands, for direct and for heap memory each, a {@code ThreadHeaps}, which leads from the current
 * thread to a heap of the core. The blocks of the core are the buffers themselves: {@code
 * CountedBlock} has the reference count and the place in the core, {@code MiMallocByteBuf} what all
 * buffers do alike, and three classes their way to the bytes. What the options for debugging do
 * besides is a {@code Guard}'s.
 */
@NullMarked
package io.github.mimalloc4j.netty;

import org.jspecify.annotations.NullMarked;
