package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.memory.Memory;
import java.nio.ByteBuffer;

/**
 * A direct buffer that accesses its bytes through the NIO buffer of its whole segment, by absolute
 * positions. For platforms without access by address.
 */
public class NioByteBuf extends DirectByteBuf {

  /** The segment's buffer, big-endian. */
  private ByteBuffer buffer;

  private int offset;

  public NioByteBuf(Page<MiMallocByteBuf> page, int slot, DirectMemory memory, int offset) {
    super(page, slot);
    this.buffer = memory.buffer();
    this.offset = offset;
  }

  /** Without the loads of the page and its memory ({@code AccessBenchmark.setBytes}). */
  @Override
  ByteBuffer segmentBuffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  void locate(int offset) {
    buffer = memory().buffer();
    this.offset = offset;
  }

  @Override
  public final void forgetMemory() {
    super.forgetMemory();
    buffer = BufferMemory.NO_BUFFER;
  }

  @Override
  public boolean hasMemoryAddress() {
    return memory().address() != Memory.NO_ADDRESS;
  }

  @Override
  public long memoryAddress() {
    checkInUse();
    if (!hasMemoryAddress()) {
      throw new UnsupportedOperationException("the platform does not expose memory addresses");
    }
    return memory().address() + offset;
  }

  @Override
  int _setAscii(int index, String text) {
    ByteBuffer buffer = this.buffer;
    int to = offset + index;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c > LAST_ASCII) {
        return i;
      }
      buffer.put(to + i, (byte) c);
    }
    return length;
  }

  @Override
  protected byte _getByte(int index) {
    return buffer.get(offset + index);
  }

  @Override
  protected short _getShort(int index) {
    return buffer.getShort(offset + index);
  }

  @Override
  protected short _getShortLE(int index) {
    return Short.reverseBytes(buffer.getShort(offset + index));
  }

  @Override
  protected int _getInt(int index) {
    return buffer.getInt(offset + index);
  }

  @Override
  protected int _getIntLE(int index) {
    return Integer.reverseBytes(buffer.getInt(offset + index));
  }

  @Override
  protected long _getLong(int index) {
    return buffer.getLong(offset + index);
  }

  @Override
  protected long _getLongLE(int index) {
    return Long.reverseBytes(buffer.getLong(offset + index));
  }

  @Override
  protected void _setByte(int index, int value) {
    buffer.put(offset + index, (byte) value);
  }

  @Override
  protected void _setShort(int index, int value) {
    buffer.putShort(offset + index, (short) value);
  }

  @Override
  protected void _setShortLE(int index, int value) {
    buffer.putShort(offset + index, Short.reverseBytes((short) value));
  }

  @Override
  protected void _setInt(int index, int value) {
    buffer.putInt(offset + index, value);
  }

  @Override
  protected void _setIntLE(int index, int value) {
    buffer.putInt(offset + index, Integer.reverseBytes(value));
  }

  @Override
  protected void _setLong(int index, long value) {
    buffer.putLong(offset + index, value);
  }

  @Override
  protected void _setLongLE(int index, long value) {
    buffer.putLong(offset + index, Long.reverseBytes(value));
  }
}
