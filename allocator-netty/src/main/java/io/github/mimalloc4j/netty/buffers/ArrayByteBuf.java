package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.heap.Page;
import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A buffer on the Java heap. */
public class ArrayByteBuf extends MiMallocByteBuf {

  private static final VarHandle SHORT = view(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT_LE = view(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT = view(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT_LE = view(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG = view(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_LE = view(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] array;
  private int offset;

  public ArrayByteBuf(Page<MiMallocByteBuf> page, int slot, ArrayMemory memory, int offset) {
    super(page, slot);
    this.array = memory.array();
    this.offset = offset;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  void locate(int offset) {
    array = ((ArrayMemory) memory()).array();
    this.offset = offset;
  }

  @Override
  public final void forgetMemory() {
    super.forgetMemory();
    array = ArrayMemory.NO_ARRAY;
  }

  @Override
  public boolean isDirect() {
    return false;
  }

  @Override
  public boolean hasArray() {
    return true;
  }

  @Override
  public byte[] array() {
    checkInUse();
    return array;
  }

  @Override
  public int arrayOffset() {
    return offset;
  }

  @Override
  public boolean hasMemoryAddress() {
    return false;
  }

  @Override
  public long memoryAddress() {
    throw new UnsupportedOperationException("a heap buffer has no memory address");
  }

  @Override
  public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    checkDestination(index, length, dstIndex, dst.length);
    System.arraycopy(array, offset + index, dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    checkSource(index, length, srcIndex, src.length);
    System.arraycopy(src, srcIndex, array, offset + index, length);
    return this;
  }

  @Override
  public ByteBuf setZero(int index, int length) {
    checkRange(index, length);
    Arrays.fill(array, offset + index, offset + index + length, (byte) 0);
    return this;
  }

  @Override
  int _setAscii(int index, String text) {
    byte[] array = this.array;
    int to = offset + index;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c > LAST_ASCII) {
        return i;
      }
      array[to + i] = (byte) c;
    }
    return length;
  }

  @Override
  protected byte _getByte(int index) {
    return array[offset + index];
  }

  @Override
  protected short _getShort(int index) {
    return (short) SHORT.get(array, offset + index);
  }

  @Override
  protected short _getShortLE(int index) {
    return (short) SHORT_LE.get(array, offset + index);
  }

  @Override
  protected int _getInt(int index) {
    return (int) INT.get(array, offset + index);
  }

  @Override
  protected int _getIntLE(int index) {
    return (int) INT_LE.get(array, offset + index);
  }

  @Override
  protected long _getLong(int index) {
    return (long) LONG.get(array, offset + index);
  }

  @Override
  protected long _getLongLE(int index) {
    return (long) LONG_LE.get(array, offset + index);
  }

  @Override
  protected void _setByte(int index, int value) {
    array[offset + index] = (byte) value;
  }

  @Override
  protected void _setShort(int index, int value) {
    SHORT.set(array, offset + index, (short) value);
  }

  @Override
  protected void _setShortLE(int index, int value) {
    SHORT_LE.set(array, offset + index, (short) value);
  }

  @Override
  protected void _setInt(int index, int value) {
    INT.set(array, offset + index, value);
  }

  @Override
  protected void _setIntLE(int index, int value) {
    INT_LE.set(array, offset + index, value);
  }

  @Override
  protected void _setLong(int index, long value) {
    LONG.set(array, offset + index, value);
  }

  @Override
  protected void _setLongLE(int index, long value) {
    LONG_LE.set(array, offset + index, value);
  }

  private static VarHandle view(Class<?> arrayType, ByteOrder order) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, order).withInvokeExactBehavior();
  }
}
