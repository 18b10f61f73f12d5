package io.github.mimalloc4j.transporttests;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.util.Random;

/** Bytes that nothing else consists of, in buffers of each kind. */
final class Body {

  /** How the bytes are given to Netty. */
  enum Kind {
    DIRECT,
    HEAP,
    /** Direct and heap buffers, and slices of both, as the components of one buffer. */
    COMPOSITE
  }

  private final byte[] bytes;

  Body(int size) {
    bytes = new byte[size];
    new Random(size).nextBytes(bytes);
  }

  int size() {
    return bytes.length;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  ByteBuf buffer(ByteBufAllocator allocator, Kind kind) {
    return switch (kind) {
      case DIRECT -> allocator.directBuffer(size()).writeBytes(bytes);
      case HEAP -> allocator.heapBuffer(size()).writeBytes(bytes);
      case COMPOSITE -> composite(allocator);
    };
  }

  private CompositeByteBuf composite(ByteBufAllocator allocator) {
    CompositeByteBuf whole = allocator.compositeBuffer(Integer.MAX_VALUE);
    int parts = Math.min(5, size());
    for (int i = 0; i < parts; i++) {
      int from = (int) ((long) size() * i / parts);
      int count = (int) ((long) size() * (i + 1) / parts) - from;
      ByteBuf part =
          i % 2 == 0 ? allocator.directBuffer(count + 3) : allocator.heapBuffer(count + 3);
      part.writeMedium(0).writeBytes(bytes, from, count);
      if (i < 3) {
        whole.addComponent(true, part.skipBytes(3));
      } else {
        whole.addComponent(true, part.retainedSlice(3, count));
        part.release(); // the slice holds it
      }
    }
    return whole;
  }
}
