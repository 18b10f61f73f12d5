package io.github.mimalloc4j.microbench.allocation;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.netty.buffer.ByteBuf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A message is put together piece by piece in a buffer that begins with 256 bytes, as encoders do
 * that do not know its length, and released.
 */
public class GrowthBenchmark extends AllocatorBenchmark {
  private static final int INITIAL = 256;

  private final byte[] piece = new byte[64];

  /** Bytes of the whole message. */
  @Param({"256", "4096", "65536"})
  public int size;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    start(allocator, 1 << 12, this::writeBytes);
  }

  /** Writes pieces until the message is whole; the buffer grows as Netty has it grow. */
  @Benchmark
  public boolean writeBytes() {
    ByteBuf buffer = calls().allocate(INITIAL);
    for (int written = 0; written < size; written += piece.length) {
      buffer.writeBytes(piece);
    }
    return BufferCalls.release(buffer);
  }

  @Override
  protected final long liveBytes() {
    return size; // at any time inside of an operation
  }
}
