package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One reference to a stamped buffer, or to a part of one. Whoever has this may use the reference;
 * it is handed over as a whole.
 *
 * @param offset where the bytes begin in the buffer's stamp
 * @param length the bytes that it shows
 * @param origin the first reference to the buffer, which may have been released; null if this is it
 */
record Holding(ByteBuf buffer, long id, int offset, int length, @Nullable Holding origin) {

  /** The first reference to a buffer. */
  static Holding of(ByteBuf buffer, long id) {
    return new Holding(buffer, id, 0, buffer.capacity(), null);
  }

  /** A reference to a slice or duplicate of what this one shows. */
  Holding derived(ByteBuf view, int from) {
    return new Holding(view, id, offset + from, view.capacity(), root());
  }

  /** The first reference to the buffer, this one or another. */
  Holding root() {
    return origin == null ? this : origin;
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
    return origin == null && buffer.refCnt() == 1;
  }

  @Override
  public String toString() {
    String part = origin == null ? "" : "bytes %,d to %,d of ".formatted(offset, offset + length);
    return part
        + "buffer %s (%s, %,d bytes)"
            .formatted(Stamp.text(id), buffer.isDirect() ? "direct" : "heap", root().length);
  }
}
