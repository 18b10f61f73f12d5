package io.github.mimalloc4j.netty.buffers;

import io.netty.buffer.AbstractByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Sets the reader and the writer index of a buffer to values that are known to be valid. Netty's
 * setters compare them with the other index and the capacity again ({@code AccessBenchmark}).
 *
 * <p>The fields belong to Netty's package. Netty's setters are used instead where the package is
 * not open to this library (named modules), or a Netty has no such fields.
 */
final class Indices {
  private static final @Nullable VarHandle READER;
  private static final @Nullable VarHandle WRITER;

  static {
    VarHandle reader = null;
    VarHandle writer = null;
    try {
      Class<?> owner = AbstractByteBuf.class;
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
      reader = lookup.findVarHandle(owner, "readerIndex", int.class);
      writer = lookup.findVarHandle(owner, "writerIndex", int.class);
    } catch (ReflectiveOperationException | SecurityException e) {
      // Netty's setters are used instead.
    }
    READER = reader;
    WRITER = writer;
  }

  private Indices() {}

  static void setReaderIndex(AbstractByteBuf buffer, int index) {
    if (READER != null) {
      READER.set(buffer, index);
    } else {
      buffer.readerIndex(index);
    }
  }

  static void setWriterIndex(AbstractByteBuf buffer, int index) {
    if (WRITER != null) {
      WRITER.set(buffer, index);
    } else {
      buffer.writerIndex(index);
    }
  }
}
