package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One reference to a stamped buffer, or to a part of one. Whoever has this may use the reference;
 * it is handed over as a whole.
 */
final class Holding {
  private final ByteBuf buffer;
  private final long id;
  private final int offset;
  private final @Nullable Holding root;

  /** Set while the holder has the buffer to himself. */
  private int length;

  private Holding(ByteBuf buffer, long id, int offset, int length, @Nullable Holding root) {
    this.buffer = buffer;
    this.id = id;
    this.offset = offset;
    this.length = length;
    this.root = root;
  }

  /** The first reference to a buffer. */
  static Holding of(ByteBuf buffer, long id) {
    return new Holding(buffer, id, 0, buffer.capacity(), null);
  }

  /** A reference to a slice or duplicate of what this one shows. */
  Holding derived(ByteBuf view, int from) {
    return new Holding(view, id, offset + from, view.capacity(), root());
  }

  ByteBuf buffer() {
    return buffer;
  }

  long id() {
    return id;
  }

  /** Where the bytes begin in the buffer's stamp. */
  int offset() {
    return offset;
  }

  /** The bytes that it shows. */
  int length() {
    return length;
  }

  /** Takes note of another capacity. */
  void resized() {
    length = buffer.capacity();
  }

  /** The first reference to the buffer, this one or another. It may have been released. */
  Holding root() {
    return root == null ? this : root;
  }

  /** The bytes that it keeps from being used again. */
  int keptBytes() {
    return root().length;
  }

  /**
   * Whether nobody else has a reference to any part of the buffer. Who holds the only one finds a
   * count of 1, and nobody else can raise it.
   */
  boolean isExclusive() {
    return root == null && buffer.refCnt() == 1;
  }

  @Override
  public String toString() {
    String place = buffer.isDirect() ? "direct" : "heap";
    return root == null
        ? "buffer %s (%s, %,d bytes)".formatted(Stamp.text(id), place, length)
        : "bytes %,d to %,d of buffer %s (%s, %,d bytes)"
            .formatted(offset, offset + length, Stamp.text(id), place, root.length);
  }
}
