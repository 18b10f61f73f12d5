/**
 * The buffers: blocks of the core that are {@code ByteBuf}s, and the memory in which they lie.
 *
 * <p>{@code CountedBlock} has the reference count and the place in the core, {@code
 * SingleCheckByteBuf} the accessors, {@code MiMallocByteBuf} what all buffers do alike, and three
 * classes their way to the bytes. A {@code BufferMemory} is the memory of a segment. What a buffer
 * needs of the layers above, it asks of its {@code BufferSource}; what options for debugging add,
 * of its {@code Guard}. Both are implemented elsewhere.
 *
 * <p>From outside, a free block becomes a buffer by {@code begin}; its bytes and its block may be
 * looked at. Reference count and place are the package's own.
 */
@NullMarked
package io.github.mimalloc4j.netty.buffers;

import org.jspecify.annotations.NullMarked;
