package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.heap.Page;
import io.netty.buffer.ByteBuf;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A block whose accessors for single values make one comparison: whether the bytes lie within the
 * capacity of a buffer in use. Netty's own accessors read the reference count each time, which here
 * is an acquire: the compiler may not merge such checks, and consecutive accesses take twice as
 * long ({@code AccessBenchmark}).
 *
 * <p>If the comparison fails, Netty's checks follow. They decide, and throw the usual exceptions,
 * so a buffer in use that is mistaken for a free one is slow, not wrong.
 */
abstract class SingleCheckByteBuf extends CountedBlock {

  static final char LAST_ASCII = 0x7F;

  private static final int NOT_IN_USE = -1;

  private int capacity;

  /** The capacity of a buffer in use, and {@link #NOT_IN_USE} while the block is free. */
  private int limit = NOT_IN_USE;

  SingleCheckByteBuf(Page<MiMallocByteBuf> page, int slot) {
    super(page, slot);
  }

  @Override
  public final int capacity() {
    return capacity;
  }

  /** Sets the capacity of a buffer that is in use, or about to be. */
  final void setCapacity(int capacity) {
    this.capacity = capacity;
    limit = capacity;
  }

  @Override
  final void leaveUse() {
    limit = NOT_IN_USE;
  }

  // Sums and differences of ints, in this form: so the compiler moves the checks out of a loop.

  /** Returns whether the bytes are not within the capacity of a buffer in use. */
  private boolean isOutside(int index, int bytes) {
    return index < 0 || index > limit - bytes;
  }

  /** Throws as {@link #checkIndex(int, int)} does. */
  final void checkRange(int index, int length) {
    if ((index | length) < 0 || index > limit - length) {
      checkIndex(index, length);
    }
  }

  /**
   * Throws as {@link #checkSrcIndex} does, and for an index outside the source even if {@code
   * io.netty.buffer.checkBounds} is off, as Netty's copies by memory address do.
   */
  final void checkSource(int index, int length, int srcIndex, int srcCapacity) {
    if ((index | length | srcIndex) < 0
        || index > limit - length
        || srcIndex > srcCapacity - length) {
      checkSourceAgain(index, length, srcIndex, srcCapacity);
    }
  }

  private void checkSourceAgain(int index, int length, int srcIndex, int srcCapacity) {
    checkSrcIndex(index, length, srcIndex, srcCapacity);
    Objects.checkFromIndexSize(srcIndex, length, srcCapacity);
  }

  /** Throws as {@link #checkDstIndex} does, and as {@link #checkSource} for the destination. */
  final void checkDestination(int index, int length, int dstIndex, int dstCapacity) {
    if ((index | length | dstIndex) < 0
        || index > limit - length
        || dstIndex > dstCapacity - length) {
      checkDestinationAgain(index, length, dstIndex, dstCapacity);
    }
  }

  private void checkDestinationAgain(int index, int length, int dstIndex, int dstCapacity) {
    checkDstIndex(index, length, dstIndex, dstCapacity);
    Objects.checkFromIndexSize(dstIndex, length, dstCapacity);
  }

  /** Throws if the buffer is not in use. */
  final void checkInUse() {
    if (limit < 0) {
      ensureAccessible();
    }
  }

  /**
   * Returns whether the bytes from the writer index on are beyond the capacity of a buffer in use.
   */
  private boolean isUnwritable(int index, int bytes) {
    int end = index + bytes;
    return end < 0 || end > limit;
  }

  /** Returns whether the bytes have not been written yet, or the buffer is not in use. */
  private boolean isUnreadable(int index, int bytes) {
    return limit < 0 || index > writerIndex() - bytes;
  }

  @Override
  public final byte getByte(int index) {
    if (isOutside(index, Byte.BYTES)) {
      checkIndex(index, Byte.BYTES);
    }
    return _getByte(index);
  }

  @Override
  public final short getShort(int index) {
    if (isOutside(index, Short.BYTES)) {
      checkIndex(index, Short.BYTES);
    }
    return _getShort(index);
  }

  @Override
  public final short getShortLE(int index) {
    if (isOutside(index, Short.BYTES)) {
      checkIndex(index, Short.BYTES);
    }
    return _getShortLE(index);
  }

  @Override
  public final int getInt(int index) {
    if (isOutside(index, Integer.BYTES)) {
      checkIndex(index, Integer.BYTES);
    }
    return _getInt(index);
  }

  @Override
  public final int getIntLE(int index) {
    if (isOutside(index, Integer.BYTES)) {
      checkIndex(index, Integer.BYTES);
    }
    return _getIntLE(index);
  }

  @Override
  public final long getLong(int index) {
    if (isOutside(index, Long.BYTES)) {
      checkIndex(index, Long.BYTES);
    }
    return _getLong(index);
  }

  @Override
  public final long getLongLE(int index) {
    if (isOutside(index, Long.BYTES)) {
      checkIndex(index, Long.BYTES);
    }
    return _getLongLE(index);
  }

  @Override
  public final ByteBuf setByte(int index, int value) {
    if (isOutside(index, Byte.BYTES)) {
      checkIndex(index, Byte.BYTES);
    }
    _setByte(index, value);
    return this;
  }

  @Override
  public final ByteBuf setShort(int index, int value) {
    if (isOutside(index, Short.BYTES)) {
      checkIndex(index, Short.BYTES);
    }
    _setShort(index, value);
    return this;
  }

  @Override
  public final ByteBuf setShortLE(int index, int value) {
    if (isOutside(index, Short.BYTES)) {
      checkIndex(index, Short.BYTES);
    }
    _setShortLE(index, value);
    return this;
  }

  @Override
  public final ByteBuf setInt(int index, int value) {
    if (isOutside(index, Integer.BYTES)) {
      checkIndex(index, Integer.BYTES);
    }
    _setInt(index, value);
    return this;
  }

  @Override
  public final ByteBuf setIntLE(int index, int value) {
    if (isOutside(index, Integer.BYTES)) {
      checkIndex(index, Integer.BYTES);
    }
    _setIntLE(index, value);
    return this;
  }

  @Override
  public final ByteBuf setLong(int index, long value) {
    if (isOutside(index, Long.BYTES)) {
      checkIndex(index, Long.BYTES);
    }
    _setLong(index, value);
    return this;
  }

  @Override
  public final ByteBuf setLongLE(int index, long value) {
    if (isOutside(index, Long.BYTES)) {
      checkIndex(index, Long.BYTES);
    }
    _setLongLE(index, value);
    return this;
  }

  @Override
  public final byte readByte() {
    int index = readerIndex();
    if (isUnreadable(index, Byte.BYTES)) {
      checkReadableBytes(Byte.BYTES);
    }
    byte value = _getByte(index);
    Indices.setReaderIndex(this, index + Byte.BYTES);
    return value;
  }

  @Override
  public final short readShort() {
    int index = readerIndex();
    if (isUnreadable(index, Short.BYTES)) {
      checkReadableBytes(Short.BYTES);
    }
    short value = _getShort(index);
    Indices.setReaderIndex(this, index + Short.BYTES);
    return value;
  }

  @Override
  public final short readShortLE() {
    int index = readerIndex();
    if (isUnreadable(index, Short.BYTES)) {
      checkReadableBytes(Short.BYTES);
    }
    short value = _getShortLE(index);
    Indices.setReaderIndex(this, index + Short.BYTES);
    return value;
  }

  @Override
  public final int readInt() {
    int index = readerIndex();
    if (isUnreadable(index, Integer.BYTES)) {
      checkReadableBytes(Integer.BYTES);
    }
    int value = _getInt(index);
    Indices.setReaderIndex(this, index + Integer.BYTES);
    return value;
  }

  @Override
  public final int readIntLE() {
    int index = readerIndex();
    if (isUnreadable(index, Integer.BYTES)) {
      checkReadableBytes(Integer.BYTES);
    }
    int value = _getIntLE(index);
    Indices.setReaderIndex(this, index + Integer.BYTES);
    return value;
  }

  @Override
  public final long readLong() {
    int index = readerIndex();
    if (isUnreadable(index, Long.BYTES)) {
      checkReadableBytes(Long.BYTES);
    }
    long value = _getLong(index);
    Indices.setReaderIndex(this, index + Long.BYTES);
    return value;
  }

  @Override
  public final long readLongLE() {
    int index = readerIndex();
    if (isUnreadable(index, Long.BYTES)) {
      checkReadableBytes(Long.BYTES);
    }
    long value = _getLongLE(index);
    Indices.setReaderIndex(this, index + Long.BYTES);
    return value;
  }

  @Override
  public final ByteBuf writeByte(int value) {
    int index = writerIndex();
    if (isUnwritable(index, Byte.BYTES)) {
      ensureWritable(Byte.BYTES);
    }
    _setByte(index, value);
    Indices.setWriterIndex(this, index + Byte.BYTES);
    return this;
  }

  @Override
  public final ByteBuf writeShort(int value) {
    int index = writerIndex();
    if (isUnwritable(index, Short.BYTES)) {
      ensureWritable(Short.BYTES);
    }
    _setShort(index, value);
    Indices.setWriterIndex(this, index + Short.BYTES);
    return this;
  }

  @Override
  public final ByteBuf writeShortLE(int value) {
    int index = writerIndex();
    if (isUnwritable(index, Short.BYTES)) {
      ensureWritable(Short.BYTES);
    }
    _setShortLE(index, value);
    Indices.setWriterIndex(this, index + Short.BYTES);
    return this;
  }

  @Override
  public final ByteBuf writeInt(int value) {
    int index = writerIndex();
    if (isUnwritable(index, Integer.BYTES)) {
      ensureWritable(Integer.BYTES);
    }
    _setInt(index, value);
    Indices.setWriterIndex(this, index + Integer.BYTES);
    return this;
  }

  @Override
  public final ByteBuf writeIntLE(int value) {
    int index = writerIndex();
    if (isUnwritable(index, Integer.BYTES)) {
      ensureWritable(Integer.BYTES);
    }
    _setIntLE(index, value);
    Indices.setWriterIndex(this, index + Integer.BYTES);
    return this;
  }

  @Override
  public final ByteBuf writeLong(long value) {
    int index = writerIndex();
    if (isUnwritable(index, Long.BYTES)) {
      ensureWritable(Long.BYTES);
    }
    _setLong(index, value);
    Indices.setWriterIndex(this, index + Long.BYTES);
    return this;
  }

  @Override
  public final ByteBuf writeLongLE(long value) {
    int index = writerIndex();
    if (isUnwritable(index, Long.BYTES)) {
      ensureWritable(Long.BYTES);
    }
    _setLongLE(index, value);
    Indices.setWriterIndex(this, index + Long.BYTES);
    return this;
  }

  // Text. Netty writes it by a loop for buffers on and off the Java heap, in which the compiler
  // must assume that each byte written may have changed the text (AccessBenchmark).

  @Override
  public final int setCharSequence(int index, CharSequence text, Charset charset) {
    return setAscii(index, text, charset)
        ? text.length()
        : super.setCharSequence(index, text, charset);
  }

  @Override
  public final int writeCharSequence(CharSequence text, Charset charset) {
    int index = writerIndex();
    if (!setAscii(index, text, charset)) {
      return super.writeCharSequence(text, charset);
    }
    int length = text.length();
    Indices.setWriterIndex(this, index + length);
    return length;
  }

  /**
   * Writes a string that is all ASCII. Leaves other text to Netty, and text for which Netty would
   * grow the buffer or throw: for UTF-8, Netty requires three bytes for each character.
   *
   * @return whether all of it was written
   */
  private boolean setAscii(int index, CharSequence text, Charset charset) {
    int mostBytesPerCharacter = mostBytesPerCharacter(charset);
    if (mostBytesPerCharacter == 0 || !(text instanceof String string)) {
      return false;
    }
    int length = string.length();
    return index >= 0
        && (long) length * mostBytesPerCharacter <= limit - index
        && _setAscii(index, string) == length;
  }

  /** Returns the maximum bytes that Netty requires for an ASCII character; 0 for other charsets. */
  @SuppressWarnings("ReferenceEquality") // an equal charset would merely be slower
  private static int mostBytesPerCharacter(Charset charset) {
    if (charset == StandardCharsets.UTF_8) {
      return 3;
    }
    return charset == StandardCharsets.US_ASCII || charset == StandardCharsets.ISO_8859_1 ? 1 : 0;
  }

  /**
   * Writes characters until one is not ASCII, without checking the bounds of the buffer. Each kind
   * of buffer has a loop of its own, unlike in Netty, where one loop serves all.
   *
   * @return the number of characters written
   */
  abstract int _setAscii(int index, String text);
}
