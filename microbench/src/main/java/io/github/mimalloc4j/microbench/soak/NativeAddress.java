package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.ByteBuf;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Where direct buffers lie, also where Netty does without their addresses: the JDK tells them from
 * release 22 on, which is later than what this project is compiled for.
 */
final class NativeAddress {
  private static final @Nullable Class<?> SEGMENT = findSegment();

  private NativeAddress() {}

  private static @Nullable Class<?> findSegment() {
    try {
      return Runtime.version().feature() < 22
          ? null
          : Class.forName("java.lang.foreign.MemorySegment");
    } catch (ClassNotFoundException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The address of a direct buffer's first byte; empty if nobody tells. */
  static OptionalLong of(ByteBuf buffer) {
    if (buffer.hasMemoryAddress()) {
      return OptionalLong.of(buffer.memoryAddress());
    }
    if (SEGMENT == null) {
      return OptionalLong.empty();
    }
    try {
      Method ofBuffer = SEGMENT.getMethod("ofBuffer", Buffer.class);
      Object segment = ofBuffer.invoke(null, buffer.nioBuffer(0, buffer.capacity()));
      return OptionalLong.of((long) SEGMENT.getMethod("address").invoke(segment));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no address", e);
    }
  }
}
