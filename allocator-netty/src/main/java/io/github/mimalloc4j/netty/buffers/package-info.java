/**
 * The buffers: blocks of the core that are {@code ByteBuf}s, and the memory in which they lie.
 *
 * <p>{@code CountedBlock} holds the reference count and the place in the core, {@code
 * SingleCheckByteBuf} the accessors for single values, and {@code MiMallocByteBuf} the methods
 * common to all buffers. Three subclasses access the bytes. {@code BufferMemory} is the memory of a
 * segment. A buffer calls the layers above through its {@code BufferSource} and, for debugging
 * options, through its {@code Guard}; both are implemented elsewhere.
 *
 * <p>Other packages turn a free block into a buffer with {@code begin}, and may inspect its bytes
 * and its block. Only this package changes the reference count and the place.
 */
@NullMarked
package io.github.mimalloc4j.netty.buffers;

import org.jspecify.annotations.NullMarked;
