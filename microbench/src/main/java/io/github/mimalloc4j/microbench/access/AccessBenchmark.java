package io.github.mimalloc4j.microbench.access;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Reading and writing the bytes of buffers. Each operation takes the next one of 64 live buffers.
 *
 * <p>Access is inlined, as it is in applications.
 */
public class AccessBenchmark extends AllocatorBenchmark {
  private static final int BUFFERS = 64;
  private static final int BUFFER_MASK = BUFFERS - 1;
  private static final int SIZE = 1024;
  private static final int LONGS = 16;
  private static final int BYTES = 256;
  private static final String HEADER =
      "content-type: text/plain; charset=utf-8, content-length: 1234567";

  /** Whether every other buffer is of the other kind. */
  @Param("false")
  public boolean mixed;

  private final byte[] array = new byte[BYTES];
  private int next;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    buffers = new ByteBuf[BUFFERS];
    // One step: the compiler learns the classes of buffers from the measured method alone.
    start(allocator, 1, 1 << 16, this::step);
  }

  private ByteBuf nextBuffer() {
    return buffers[next++ & BUFFER_MASK];
  }

  @Benchmark
  public long getLong() {
    ByteBuf buffer = nextBuffer();
    long sum = 0;
    for (int i = 0; i < LONGS; i++) {
      sum += buffer.getLong(i * Long.BYTES);
    }
    return sum;
  }

  @Benchmark
  public ByteBuf writeLong() {
    ByteBuf buffer = nextBuffer().clear();
    for (int i = 0; i < LONGS; i++) {
      buffer.writeLong(next);
    }
    return buffer;
  }

  @Benchmark
  public ByteBuf setBytes() {
    return nextBuffer().setBytes(0, array);
  }

  /** Copies 256 bytes from the buffer that is next. */
  @Benchmark
  public ByteBuf setBytesOfBuffer() {
    ByteBuf buffer = nextBuffer();
    return buffer.setBytes(0, buffers[next & BUFFER_MASK], 0, BYTES);
  }

  /** Writes a header of 64 ASCII characters as UTF-8. */
  @Benchmark
  public int writeCharSequence() {
    return nextBuffer().clear().writeCharSequence(HEADER, StandardCharsets.UTF_8);
  }

  /** Looks through 256 bytes for the end of a line, in vain. */
  @Benchmark
  public int forEachByte() {
    return nextBuffer().forEachByte(BYTES, BYTES, ByteProcessor.FIND_LF);
  }

  /** A view for a socket's read or write. */
  @Benchmark
  public ByteBuffer internalNioBuffer() {
    return nextBuffer().internalNioBuffer(BYTES, BYTES);
  }

  private void step() {
    getLong();
    writeLong();
    setBytes();
    setBytesOfBuffer();
    writeCharSequence();
    forEachByte();
    internalNioBuffer();
  }

  @Override
  protected final void begin() {
    for (int i = 0; i < BUFFERS; i++) {
      boolean other = mixed && i % 2 == 1;
      buffers[i] = other ? calls().allocateOther(SIZE) : calls().allocate(SIZE);
      buffers[i].setZero(0, SIZE);
    }
  }
}
