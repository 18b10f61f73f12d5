package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Where direct buffers lie, also where Netty does without their addresses: the JDK tells them from
 * release 22 on, which is later than what this project is compiled for.
 */
final class NativeAddress {
  private static final @Nullable MethodHandle OF_BUFFER = find();

  private NativeAddress() {}

  private static @Nullable MethodHandle find() {
    if (Runtime.version().feature() < 22) {
      return null;
    }
    try {
      Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodHandle ofBuffer =
          lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class));
      MethodHandle address =
          lookup.findVirtual(segment, "address", MethodType.methodType(long.class));
      return MethodHandles.filterReturnValue(ofBuffer, address)
          .asType(MethodType.methodType(long.class, ByteBuffer.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The address of a direct buffer's first byte; empty if nobody tells. */
  static OptionalLong of(ByteBuf buffer) {
    if (buffer.hasMemoryAddress()) {
      return OptionalLong.of(buffer.memoryAddress());
    }
    if (OF_BUFFER == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of((long) OF_BUFFER.invokeExact(buffer.nioBuffer(0, buffer.capacity())));
    } catch (Throwable t) {
      throw new IllegalStateException("no address", t);
    }
  }
}
