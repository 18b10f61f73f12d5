package io.github.mimalloc4j.microbench.baseline;

import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/** The bytes of a buffer, reached through an NIO buffer by absolute positions. */
abstract class BareBytes extends AbstractByteBuf {
  /** All bytes from 0 to its capacity, big-endian. */
  ByteBuffer bytes;

  BareBytes(ByteBuffer bytes) {
    super(Integer.MAX_VALUE);
    this.bytes = bytes;
  }

  private ByteBuffer view(int index, int length) {
    checkIndex(index, length);
    return bytes.slice(index, length);
  }

  @Override
  @Deprecated
  public final ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public final @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public final boolean isDirect() {
    return bytes.isDirect();
  }

  @Override
  public final boolean isContiguous() {
    return true;
  }

  @Override
  public final boolean hasArray() {
    return bytes.hasArray();
  }

  @Override
  public final byte[] array() {
    ensureAccessible();
    return bytes.array();
  }

  @Override
  public final int arrayOffset() {
    return bytes.arrayOffset();
  }

  @Override
  public final boolean hasMemoryAddress() {
    return false;
  }

  @Override
  public final long memoryAddress() {
    throw new UnsupportedOperationException();
  }

  @Override
  public final int nioBufferCount() {
    return 1;
  }

  @Override
  public final ByteBuffer nioBuffer(int index, int length) {
    return view(index, length);
  }

  @Override
  public final ByteBuffer internalNioBuffer(int index, int length) {
    return view(index, length);
  }

  @Override
  public final ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {view(index, length)};
  }

  @Override
  public final ByteBuf copy(int index, int length) {
    checkIndex(index, length);
    ByteBuf copy =
        isDirect()
            ? alloc().directBuffer(length, maxCapacity())
            : alloc().heapBuffer(length, maxCapacity());
    return copy.writeBytes(this, index, length);
  }

  @Override
  public final ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    checkDstIndex(index, length, dstIndex, dst.capacity());
    dst.setBytes(dstIndex, view(index, length));
    return this;
  }

  @Override
  public final ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    checkDstIndex(index, length, dstIndex, dst.length);
    bytes.get(index, dst, dstIndex, length);
    return this;
  }

  @Override
  public final ByteBuf getBytes(int index, ByteBuffer dst) {
    dst.put(view(index, dst.remaining()));
    return this;
  }

  @Override
  public final ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    byte[] copy = new byte[length];
    getBytes(index, copy);
    out.write(copy);
    return this;
  }

  @Override
  public final int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    return out.write(view(index, length));
  }

  @Override
  public final int getBytes(int index, FileChannel out, long position, int length)
      throws IOException {
    return out.write(view(index, length), position);
  }

  @Override
  public final ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    checkSrcIndex(index, length, srcIndex, src.capacity());
    src.getBytes(srcIndex, view(index, length));
    return this;
  }

  @Override
  public final ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    checkSrcIndex(index, length, srcIndex, src.length);
    bytes.put(index, src, srcIndex, length);
    return this;
  }

  @Override
  public final ByteBuf setBytes(int index, ByteBuffer src) {
    view(index, src.remaining()).put(src);
    return this;
  }

  @Override
  public final int setBytes(int index, InputStream in, int length) throws IOException {
    checkIndex(index, length);
    byte[] copy = new byte[length];
    int read = in.read(copy);
    if (read > 0) {
      bytes.put(index, copy, 0, read);
    }
    return read;
  }

  @Override
  public final int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    return in.read(view(index, length));
  }

  @Override
  public final int setBytes(int index, FileChannel in, long position, int length)
      throws IOException {
    return in.read(view(index, length), position);
  }

  @Override
  protected final byte _getByte(int index) {
    return bytes.get(index);
  }

  @Override
  protected final short _getShort(int index) {
    return bytes.getShort(index);
  }

  @Override
  protected final short _getShortLE(int index) {
    return Short.reverseBytes(bytes.getShort(index));
  }

  @Override
  protected final int _getUnsignedMedium(int index) {
    return (bytes.get(index) & 0xFF) << 16 | (bytes.getShort(index + 1) & 0xFFFF);
  }

  @Override
  protected final int _getUnsignedMediumLE(int index) {
    return (_getShortLE(index) & 0xFFFF) | (bytes.get(index + 2) & 0xFF) << 16;
  }

  @Override
  protected final int _getInt(int index) {
    return bytes.getInt(index);
  }

  @Override
  protected final int _getIntLE(int index) {
    return Integer.reverseBytes(bytes.getInt(index));
  }

  @Override
  protected final long _getLong(int index) {
    return bytes.getLong(index);
  }

  @Override
  protected final long _getLongLE(int index) {
    return Long.reverseBytes(bytes.getLong(index));
  }

  @Override
  protected final void _setByte(int index, int value) {
    bytes.put(index, (byte) value);
  }

  @Override
  protected final void _setShort(int index, int value) {
    bytes.putShort(index, (short) value);
  }

  @Override
  protected final void _setShortLE(int index, int value) {
    bytes.putShort(index, Short.reverseBytes((short) value));
  }

  @Override
  protected final void _setMedium(int index, int value) {
    bytes.put(index, (byte) (value >>> 16));
    bytes.putShort(index + 1, (short) value);
  }

  @Override
  protected final void _setMediumLE(int index, int value) {
    _setShortLE(index, value);
    bytes.put(index + 2, (byte) (value >>> 16));
  }

  @Override
  protected final void _setInt(int index, int value) {
    bytes.putInt(index, value);
  }

  @Override
  protected final void _setIntLE(int index, int value) {
    bytes.putInt(index, Integer.reverseBytes(value));
  }

  @Override
  protected final void _setLong(int index, long value) {
    bytes.putLong(index, value);
  }

  @Override
  protected final void _setLongLE(int index, long value) {
    bytes.putLong(index, Long.reverseBytes(value));
  }
}
