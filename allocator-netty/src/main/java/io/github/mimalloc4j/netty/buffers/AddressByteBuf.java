package io.github.mimalloc4j.netty.buffers;

import static io.netty.util.internal.PlatformDependent.BIG_ENDIAN_NATIVE_ORDER;

import io.github.mimalloc4j.core.heap.Page;
import io.netty.buffer.ByteBuf;
import io.netty.util.internal.PlatformDependent;

/** A direct buffer that accesses its bytes by memory address. */
public class AddressByteBuf extends DirectByteBuf {

  private long address;

  public AddressByteBuf(Page<MiMallocByteBuf> page, int slot, DirectMemory memory, int offset) {
    super(page, slot);
    this.address = memory.address() + offset;
  }

  @Override
  public int offset() {
    return (int) (address - memory().address());
  }

  @Override
  void locate(int offset) {
    address = memory().address() + offset;
  }

  @Override
  public boolean hasMemoryAddress() {
    return true;
  }

  @Override
  public long memoryAddress() {
    checkInUse();
    return address;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    checkDestination(index, length, dstIndex, dst.length);
    PlatformDependent.copyMemory(address + index, dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    checkSource(index, length, srcIndex, src.length);
    PlatformDependent.copyMemory(src, srcIndex, address + index, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    if (!dst.hasMemoryAddress() || dst.isReadOnly()) { // which has an address, too
      return super.getBytes(index, dst, dstIndex, length);
    }
    checkDestination(index, length, dstIndex, dst.capacity());
    PlatformDependent.copyMemory(address + index, dst.memoryAddress() + dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    if (!src.hasMemoryAddress()) {
      return super.setBytes(index, src, srcIndex, length);
    }
    checkSource(index, length, srcIndex, src.capacity());
    PlatformDependent.copyMemory(src.memoryAddress() + srcIndex, address + index, length);
    return this;
  }

  @Override
  public ByteBuf setZero(int index, int length) {
    checkRange(index, length);
    PlatformDependent.setMemory(address + index, length, (byte) 0);
    return this;
  }

  @Override
  int _setAscii(int index, String text) {
    long to = address + index;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c > LAST_ASCII) {
        return i;
      }
      PlatformDependent.putByte(to + i, (byte) c);
    }
    return length;
  }

  @Override
  protected byte _getByte(int index) {
    return PlatformDependent.getByte(address + index);
  }

  @Override
  protected short _getShort(int index) {
    short value = PlatformDependent.getShort(address + index);
    return BIG_ENDIAN_NATIVE_ORDER ? value : Short.reverseBytes(value);
  }

  @Override
  protected short _getShortLE(int index) {
    short value = PlatformDependent.getShort(address + index);
    return BIG_ENDIAN_NATIVE_ORDER ? Short.reverseBytes(value) : value;
  }

  @Override
  protected int _getInt(int index) {
    int value = PlatformDependent.getInt(address + index);
    return BIG_ENDIAN_NATIVE_ORDER ? value : Integer.reverseBytes(value);
  }

  @Override
  protected int _getIntLE(int index) {
    int value = PlatformDependent.getInt(address + index);
    return BIG_ENDIAN_NATIVE_ORDER ? Integer.reverseBytes(value) : value;
  }

  @Override
  protected long _getLong(int index) {
    long value = PlatformDependent.getLong(address + index);
    return BIG_ENDIAN_NATIVE_ORDER ? value : Long.reverseBytes(value);
  }

  @Override
  protected long _getLongLE(int index) {
    long value = PlatformDependent.getLong(address + index);
    return BIG_ENDIAN_NATIVE_ORDER ? Long.reverseBytes(value) : value;
  }

  @Override
  protected void _setByte(int index, int value) {
    PlatformDependent.putByte(address + index, (byte) value);
  }

  @Override
  protected void _setShort(int index, int value) {
    short bytes = (short) value;
    PlatformDependent.putShort(
        address + index, BIG_ENDIAN_NATIVE_ORDER ? bytes : Short.reverseBytes(bytes));
  }

  @Override
  protected void _setShortLE(int index, int value) {
    short bytes = (short) value;
    PlatformDependent.putShort(
        address + index, BIG_ENDIAN_NATIVE_ORDER ? Short.reverseBytes(bytes) : bytes);
  }

  @Override
  protected void _setInt(int index, int value) {
    PlatformDependent.putInt(
        address + index, BIG_ENDIAN_NATIVE_ORDER ? value : Integer.reverseBytes(value));
  }

  @Override
  protected void _setIntLE(int index, int value) {
    PlatformDependent.putInt(
        address + index, BIG_ENDIAN_NATIVE_ORDER ? Integer.reverseBytes(value) : value);
  }

  @Override
  protected void _setLong(int index, long value) {
    PlatformDependent.putLong(
        address + index, BIG_ENDIAN_NATIVE_ORDER ? value : Long.reverseBytes(value));
  }

  @Override
  protected void _setLongLE(int index, long value) {
    PlatformDependent.putLong(
        address + index, BIG_ENDIAN_NATIVE_ORDER ? Long.reverseBytes(value) : value);
  }
}
