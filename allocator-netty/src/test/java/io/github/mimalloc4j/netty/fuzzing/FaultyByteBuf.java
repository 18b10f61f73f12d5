package io.github.mimalloc4j.netty.fuzzing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.nio.ByteBuffer;

/** A buffer with a planted bug. */
final class FaultyByteBuf extends UnpooledHeapByteBuf {

  /** One wrong answer, index, byte or exception in one method each. */
  enum Bug {
    /** The control. */
    NONE,
    WRONG_BYTE_READ,
    WRONG_BYTE_WRITTEN,
    BYTE_BEHIND_WRITTEN,
    INDEX_NOT_MOVED,
    SEARCH_OFF_BY_ONE,
    BYTE_LOST_IN_GROWTH,
    INDEX_NOT_TRIMMED,
    REFERENCE_LOST,
    WRONG_EXCEPTION,
    NO_EXCEPTION,
    COPY_THAT_SHARES,
    VIEW_THAT_COPIES
  }

  private final Bug bug;

  FaultyByteBuf(Bug bug, int initialCapacity, int maxCapacity) {
    super(UnpooledByteBufAllocator.DEFAULT, initialCapacity, maxCapacity);
    this.bug = bug;
  }

  @Override
  public short getShortLE(int index) {
    short value = super.getShortLE(index);
    return bug == Bug.WRONG_BYTE_READ && value < 0 ? (short) (value ^ 0x100) : value;
  }

  @Override
  public ByteBuf setMedium(int index, int value) {
    super.setMedium(index, value);
    return bug == Bug.WRONG_BYTE_WRITTEN ? setByte(index + 2, value + 1) : this;
  }

  @Override
  public ByteBuf setZero(int index, int length) {
    super.setZero(index, length);
    boolean behind = bug == Bug.BYTE_BEHIND_WRITTEN && index + length < capacity();
    return behind ? setByte(index + length, 0) : this;
  }

  @Override
  public ByteBuf skipBytes(int length) {
    return bug == Bug.INDEX_NOT_MOVED && length == 1 ? this : super.skipBytes(length);
  }

  @Override
  public int indexOf(int fromIndex, int toIndex, byte value) {
    int index = super.indexOf(fromIndex, toIndex, value);
    return bug == Bug.SEARCH_OFF_BY_ONE && index > 8 ? index + 1 : index;
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    int before = capacity();
    int writerIndex = writerIndex();
    super.capacity(newCapacity);
    if (bug == Bug.BYTE_LOST_IN_GROWTH && newCapacity > before && before > 0) {
      setByte(before - 1, ~getByte(before - 1));
    } else if (bug == Bug.INDEX_NOT_TRIMMED && newCapacity < writerIndex && newCapacity > 0) {
      writerIndex(newCapacity - 1);
    }
    return this;
  }

  @Override
  public ByteBuf retain(int increment) {
    return super.retain(bug == Bug.REFERENCE_LOST && increment == 2 ? 1 : increment);
  }

  @Override
  public long readLong() {
    if (bug == Bug.WRONG_EXCEPTION && readableBytes() < Long.BYTES) {
      throw new IllegalArgumentException();
    }
    return super.readLong();
  }

  @Override
  public ByteBuf setIndex(int readerIndex, int writerIndex) {
    if (bug == Bug.NO_EXCEPTION && readerIndex > writerIndex && writerIndex >= 0) {
      return this;
    }
    return super.setIndex(readerIndex, writerIndex);
  }

  @Override
  public ByteBuf copy(int index, int length) {
    return bug == Bug.COPY_THAT_SHARES ? retainedSlice(index, length) : super.copy(index, length);
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    ByteBuffer view = super.nioBuffer(index, length);
    return bug == Bug.VIEW_THAT_COPIES ? ByteBuffer.allocate(length).put(0, view, 0, length) : view;
  }
}
