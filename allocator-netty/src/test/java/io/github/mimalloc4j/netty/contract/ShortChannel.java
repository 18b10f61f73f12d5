package io.github.mimalloc4j.netty.contract;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;

/** A channel in memory that moves at most so many bytes in a call, as sockets do. */
public final class ShortChannel implements GatheringByteChannel, ScatteringByteChannel {
  private final ByteBuffer data;
  private final int limitPerCall;
  private boolean closed;

  private ShortChannel(ByteBuffer data, int limitPerCall) {
    this.data = data;
    this.limitPerCall = limitPerCall;
  }

  /** A channel that accepts any number of bytes up to the capacity. */
  public static ShortChannel writable(int limitPerCall) {
    return new ShortChannel(ByteBuffer.allocate(1 << 16), limitPerCall);
  }

  /** A channel that ends after the bytes. */
  public static ShortChannel readable(byte[] bytes, int limitPerCall) {
    return new ShortChannel(ByteBuffer.wrap(bytes), limitPerCall);
  }

  /** The bytes written so far. */
  public byte[] written() {
    byte[] bytes = new byte[data.position()];
    data.get(0, bytes);
    return bytes;
  }

  @Override
  public int write(ByteBuffer src) {
    return transfer(src, data, Math.min(limitPerCall, src.remaining()));
  }

  @Override
  public int read(ByteBuffer dst) throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (!data.hasRemaining()) {
      return -1;
    }
    int length = Math.min(limitPerCall, Math.min(dst.remaining(), data.remaining()));
    return transfer(data, dst, length);
  }

  private static int transfer(ByteBuffer src, ByteBuffer dst, int length) {
    dst.put(src.slice(src.position(), length));
    src.position(src.position() + length);
    return length;
  }

  @Override
  public long write(ByteBuffer[] srcs, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] srcs) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] dsts, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] dsts) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
