package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.StackRoom;
import io.github.mimalloc4j.netty.events.AllocatorEvents;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that is a block of the core: the methods common to all kinds of buffers.
 *
 * <p>When a new capacity exceeds the block, the buffer gets another block: the two objects exchange
 * their places, and the old block is released with the other object.
 */
public abstract class MiMallocByteBuf extends SingleCheckByteBuf {

  /** The number of bytes copied at a time to a stream from memory other than an array. */
  private static final int STREAM_CHUNK_BYTES = 8192;

  /**
   * The maximum capacity that marks the block a grown buffer has left: its release ends no buffer.
   */
  private static final int LEFT_BY_GROWTH = -1;

  /**
   * A view of the whole block, made on first use and kept, since the block is always the same
   * bytes. Only a thread with exclusive access to the buffer may change its position and limit.
   */
  private @Nullable ByteBuffer internalView;

  MiMallocByteBuf(Page<MiMallocByteBuf> page, int slot) {
    super(page, slot);
  }

  /** Returns the memory in which the block lies. */
  public BufferMemory memory() {
    return (BufferMemory) page().memory();
  }

  /** Returns the {@linkplain BufferMemory#buffer() buffer} of the whole segment. */
  ByteBuffer segmentBuffer() {
    return memory().buffer();
  }

  /** Returns the offset of the block in its memory, in bytes. */
  public abstract int offset();

  /**
   * Returns the address of the block, also of a free one; 0 if there is none or the platform hides
   * it.
   */
  public final long knownAddress() {
    long start = memory().address();
    return start == Memory.NO_ADDRESS ? Memory.NO_ADDRESS : start + offset();
  }

  /**
   * Makes this buffer use the bytes at an offset of its {@linkplain #memory() memory}, which has
   * changed.
   */
  abstract void locate(int offset);

  @Override
  public void forgetMemory() {
    internalView = null;
  }

  @Override
  public final void recallMemory() {
    locate(offset());
  }

  /** Exchanges the blocks of two buffers of the same kind, both in use by the caller. */
  private void swap(MiMallocByteBuf other) {
    int offset = offset(); // before the places, which lead to the memory
    int otherOffset = other.offset();
    ByteBuffer view = internalView;
    swapPlaces(other);
    locate(otherOffset);
    other.locate(offset);
    internalView = other.internalView;
    other.internalView = view;
  }

  /** Makes a free block a buffer with one reference. */
  public final MiMallocByteBuf begin(int initialCapacity, int maxCapacity) {
    setCapacity(initialCapacity);
    maxCapacity(maxCapacity);
    clear();
    markReaderIndex();
    markWriterIndex();
    countFirst();
    return this;
  }

  /** Records that this buffer begins to be used, by the thread that allocated it. */
  public final void recordAllocation() {
    AllocatorEvents.allocated(this, knownAddress(), page());
  }

  @Override
  final void end() {
    if (AllocatorEvents.releasesAreRecorded() && maxCapacity() != LEFT_BY_GROWTH) {
      AllocatorEvents.released(this, knownAddress());
    }
    leaveUse();
    if (isGuarded()) {
      guard().release(this);
    }
  }

  @Override
  public final ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    if (isGuarded()) {
      changeGuarded(newCapacity);
    } else {
      change(newCapacity);
    }
    return this;
  }

  /**
   * Keeps the buffer meanwhile: a guard may call anything, even what releases the buffer. (A leak
   * detector that watches the buffer takes that release for one of many, and reports a leak.)
   */
  private void changeGuarded(int newCapacity) {
    StackRoom.requireOwn(); // the reference must not be left
    retain();
    boolean released;
    try {
      change(newCapacity);
    } finally {
      released = release();
    }
    if (released) {
      throw guard().explain(new IllegalReferenceCountException(0));
    }
  }

  private void change(int newCapacity) {
    if (newCapacity > room()) {
      move(newCapacity);
      return;
    }
    int capacity = capacity();
    if (isGuarded()) {
      guard().checkEnd(this);
      requireCapacity(capacity);
      guard().resize(this, newCapacity);
    }
    if (newCapacity < capacity) {
      trimIndicesToCapacity(newCapacity);
    }
    setCapacity(newCapacity);
  }

  /** Returns the maximum capacity that the buffer can have in its block. */
  private int room() {
    return isGuarded()
        ? Math.max(capacity(), blockBytes() - guard().spareBytes()) // a huge request has no spare
        : blockBytes();
  }

  @Override
  public final int maxFastWritableBytes() {
    return Math.min(room(), maxCapacity()) - writerIndex();
  }

  @Override
  public final ByteBufAllocator alloc() {
    return memory().source().allocator();
  }

  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester") // deprecated by the interface, not to be replaced
  public final ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public final @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public final boolean isContiguous() {
    return true;
  }

  @Override
  public final ByteBuf copy(int index, int length) {
    checkRange(index, length);
    ByteBuf copy =
        isDirect()
            ? alloc().directBuffer(length, maxCapacity())
            : alloc().heapBuffer(length, maxCapacity());
    try {
      checkRange(index, length); // a listener may have released this buffer meanwhile
      return copy.writeBytes(this, index, length);
    } catch (Throwable e) {
      copy.release();
      throw e;
    }
  }

  @Override
  public final int nioBufferCount() {
    return 1;
  }

  @Override
  public final ByteBuffer nioBuffer(int index, int length) {
    checkRange(index, length);
    return segmentBuffer().slice(offset() + index, length);
  }

  @Override
  public final ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  @Override
  public final ByteBuffer internalNioBuffer(int index, int length) {
    checkRange(index, length);
    ByteBuffer view = internalView;
    if (view == null) {
      internalView = view = segmentBuffer().slice(offset(), blockBytes());
    }
    if (view.order() != ByteOrder.BIG_ENDIAN) { // changed by whoever had the block before
      view.order(ByteOrder.BIG_ENDIAN);
    }
    return view.limit(index + length).position(index);
  }

  @Override
  public final ByteBuf getBytes(int index, ByteBuffer dst) {
    int length = dst.remaining();
    checkRange(index, length);
    dst.put(dst.position(), segmentBuffer(), offset() + index, length);
    dst.position(dst.limit());
    return this;
  }

  @Override
  public final ByteBuf setBytes(int index, ByteBuffer src) {
    int length = src.remaining();
    checkRange(index, length);
    segmentBuffer().put(offset() + index, src, src.position(), length);
    src.position(src.limit());
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    checkDestination(index, length, dstIndex, dst.length);
    segmentBuffer().get(offset() + index, dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    checkSource(index, length, srcIndex, src.length);
    segmentBuffer().put(offset() + index, src, srcIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    checkDestination(index, length, dstIndex, dst.capacity());
    if (dst.hasArray()) {
      getBytes(index, dst.array(), dst.arrayOffset() + dstIndex, length);
    } else {
      dst.setBytes(dstIndex, this, index, length);
    }
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    checkSource(index, length, srcIndex, src.capacity());
    if (src.hasArray()) {
      setBytes(index, src.array(), src.arrayOffset() + srcIndex, length);
    } else if (src instanceof MiMallocByteBuf ours) {
      ours.ensureAccessible();
      copy(ours, srcIndex, index, length);
    } else if (src.nioBufferCount() > 0) {
      int to = index;
      for (ByteBuffer part : src.nioBuffers(srcIndex, length)) {
        int partLength = part.remaining();
        setBytes(to, part);
        to += partLength;
      }
    } else {
      src.getBytes(srcIndex, this, index, length);
    }
    return this;
  }

  @Override
  public final ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    checkRange(index, length);
    if (hasArray()) {
      out.write(array(), arrayOffset() + index, length);
      return this;
    }
    ByteBuf chunk = streamBuffer(Math.min(length, STREAM_CHUNK_BYTES));
    try {
      byte[] array = chunk.array();
      int bytes;
      for (int left = length; left > 0; left -= bytes) { // the end may be close to 2 GiB
        bytes = Math.min(STREAM_CHUNK_BYTES, left);
        getBytes(index + length - left, array, chunk.arrayOffset(), bytes);
        out.write(array, chunk.arrayOffset(), bytes);
      }
      return this;
    } finally {
      releaseStreamBuffer(chunk);
    }
  }

  @Override
  public final int setBytes(int index, InputStream in, int length) throws IOException {
    checkRange(index, length);
    if (hasArray()) {
      return in.read(array(), arrayOffset() + index, length);
    }
    ByteBuf copy = streamBuffer(length);
    try { // one read, as a second one may wait, or fail and lose what the first one got
      int bytes = in.read(copy.array(), copy.arrayOffset(), length);
      if (bytes > 0) {
        setBytes(index, copy.array(), copy.arrayOffset(), bytes);
      }
      return bytes;
    } finally {
      releaseStreamBuffer(copy);
    }
  }

  /**
   * Returns a buffer with an array, because a stream can use no other memory. A heap buffer of the
   * allocator, so that its memory is reused.
   */
  private ByteBuf streamBuffer(int bytes) {
    try {
      return alloc().heapBuffer(bytes, bytes);
    } catch (IllegalStateException | OutOfMemoryError e) {
      return Unpooled.buffer(bytes, bytes); // closed or at its limit: this buffer stays valid
    }
  }

  /**
   * Releases such a buffer. With a guard, which may have to erase memory, erases all of it here: it
   * may not be the allocator's, and the stream may have written more than it said.
   */
  private void releaseStreamBuffer(ByteBuf buffer) {
    if (isGuarded()) {
      buffer.setZero(0, buffer.capacity());
    }
    buffer.release();
  }

  @Override
  public final int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    return out.write(nioBuffer(index, length)); // a fresh view: others may read at the same time
  }

  @Override
  public final int getBytes(int index, FileChannel out, long position, int length)
      throws IOException {
    return out.write(nioBuffer(index, length), position);
  }

  @Override
  public final int readBytes(GatheringByteChannel out, int length) throws IOException {
    checkReadableBytes(length);
    int written = out.write(internalNioBuffer(readerIndex(), length));
    skipBytes(written);
    return written;
  }

  @Override
  public final int readBytes(FileChannel out, long position, int length) throws IOException {
    checkReadableBytes(length);
    int written = out.write(internalNioBuffer(readerIndex(), length), position);
    skipBytes(written);
    return written;
  }

  @Override
  public final int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    try {
      return in.read(internalNioBuffer(index, length));
    } catch (ClosedChannelException e) {
      return -1; // as Netty's buffers do: the end of the stream
    }
  }

  @Override
  public final int setBytes(int index, FileChannel in, long position, int length)
      throws IOException {
    try {
      return in.read(internalNioBuffer(index, length), position);
    } catch (ClosedChannelException e) {
      return -1;
    }
  }

  // Netty 4.2.12 does not check the bounds of text; a heap buffer would show its neighbours' bytes.

  @Override
  public final String toString(int index, int length, Charset charset) {
    checkRange(index, length);
    return super.toString(index, length, charset);
  }

  @Override
  public final CharSequence readCharSequence(int length, Charset charset) {
    checkReadableBytes(length);
    return super.readCharSequence(length, charset);
  }

  @Override
  public final String readString(int length, Charset charset) {
    checkReadableBytes(length);
    // Not Netty's own way: 4.1 has none.
    String text = super.toString(readerIndex(), length, charset);
    skipBytes(length);
    return text;
  }

  @Override
  protected final int _getUnsignedMedium(int index) {
    return (_getByte(index) & 0xFF) << 16 | (_getShort(index + 1) & 0xFFFF);
  }

  @Override
  protected final int _getUnsignedMediumLE(int index) {
    return (_getShortLE(index) & 0xFFFF) | (_getByte(index + 2) & 0xFF) << 16;
  }

  @Override
  protected final void _setMedium(int index, int value) {
    _setByte(index, value >>> 16);
    _setShort(index + 1, value);
  }

  @Override
  protected final void _setMediumLE(int index, int value) {
    _setShortLE(index, value);
    _setByte(index + 2, value >>> 16);
  }

  /** Copies bytes of another buffer here. Both ranges were checked. */
  private void copy(MiMallocByteBuf from, int fromIndex, int index, int length) {
    segmentBuffer().put(offset() + index, from.segmentBuffer(), from.offset() + fromIndex, length);
  }

  /** Moves the buffer to another block, and sets the new capacity. */
  private void move(int newCapacity) {
    if (AllocatorEvents.reallocationsAreRecorded()) {
      AllocatorEvents.reallocating(this, knownAddress(), newCapacity);
    }
    int capacity = capacity();
    BufferSource source = memory().source();
    MiMallocByteBuf other = source.allocate(newCapacity);
    try {
      if (refCnt() == 0) { // an executor or listener may have released this buffer
        throw new IllegalReferenceCountException(0);
      }
      requireCapacity(capacity);
      other.begin(capacity, newCapacity);
      other.copy(this, 0, 0, capacity);
    } catch (Throwable e) {
      other.putBack();
      throw e;
    }
    swap(other);
    setCapacity(newCapacity); // before the release, which may throw: the buffer has grown then
    if (isGuarded()) {
      other.guard().inherit(guard());
    }
    if (AllocatorEvents.allocationsAreRecorded()) {
      recordAllocation();
    }
    other.maxCapacity(LEFT_BY_GROWTH);
    other.release();
  }

  /** Checks that a listener or executor has not changed the capacity that is about to change. */
  private void requireCapacity(int capacity) {
    if (capacity() != capacity) {
      throw new IllegalStateException("The buffer's capacity was changed while it changed.");
    }
  }
}
