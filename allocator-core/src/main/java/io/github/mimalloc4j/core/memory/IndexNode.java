package io.github.mimalloc4j.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link SegmentIndex}. For each row it has a bitmap of its 64 children. In a leaf, a
 * bit says that the segment of that number is in the row; above, that the child's bitmap is not
 * empty.
 *
 * <p>A thread that makes a bitmap empty, or no longer empty, {@linkplain #settle settles} that with
 * the parent: it writes the parent's bit and looks again, until what it has written is still true.
 * So at rest each bit is right. Until then a search may miss a segment, or come to an empty bitmap
 * and go on.
 *
 * <p>Thread-safe and lock-free. The argument is in {@code docs/synchronization.md}, S5.
 */
abstract class IndexNode {

  /** The number of bits of a number that distinguish the children of a node. */
  static final int WIDTH_BITS = 6;

  static final int WIDTH = 1 << WIDTH_BITS;

  /** The result of a search that finds nothing. */
  static final int NONE = -1;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  /** The lowest number below this node. */
  final int base;

  /** The number of low bits of a number that only distinguish what is below a child. */
  final int shift;

  /** A bit for each child, by row. */
  final long[] words;

  /** Null for the root. A root gets a parent when the tree grows. */
  volatile @Nullable IndexNode parent;

  private IndexNode(int base, int shift, int rows) {
    this.base = base;
    this.shift = shift;
    words = new long[rows];
  }

  /** Returns how many numbers there are below this node. */
  final int capacity() {
    return WIDTH << shift;
  }

  /** Returns the index of the child that contains a number. */
  final int place(int number) {
    return (number - base) >>> shift;
  }

  private boolean isEmpty(int row) {
    return word(row) == 0;
  }

  /** Sets the bits of a row. */
  final void set(int row, long bits) {
    if ((word(row) & bits) == bits) {
      return; // whoever set them settles that, as does whoever is about to clear them
    }
    if ((long) WORD.getAndBitwiseOr(words, row, bits) == 0) {
      settle(row);
    }
  }

  /** Clears a bit of a row. Returns whether it was set: of several threads, only one gets true. */
  final boolean clear(int row, int place) {
    long bit = 1L << place;
    if ((word(row) & bit) == 0) {
      return false;
    }
    long before = (long) WORD.getAndBitwiseAnd(words, row, ~bit);
    if (before == bit) {
      settle(row);
    }
    return (before & bit) != 0;
  }

  /** Updates the bits of all rows in all nodes above: some may not have been settled. */
  final void settleAll() {
    for (IndexNode node = this; node != null; node = node.parent) {
      for (int row = 0; row < words.length; row++) {
        node.settle(row);
      }
    }
  }

  /** Updates the parent's bit, which says whether the row is empty here. */
  private void settle(int row) {
    IndexNode parent = this.parent; // after the change: a parent created later does not look at it
    if (parent == null) {
      return;
    }
    int place = parent.place(base);
    boolean empty;
    do {
      empty = isEmpty(row);
      if (empty) {
        parent.clear(row, place);
      } else {
        parent.set(row, 1L << place);
      }
    } while (isEmpty(row) != empty);
  }

  /** Returns the lowest number of a row that is not below {@code from}, or {@link #NONE}. */
  final int first(int row, int from) {
    int start = from <= base ? 0 : place(from);
    long bits = start < WIDTH ? word(row) & (-1L << start) : 0;
    int found = NONE;
    while (bits != 0 && found == NONE) {
      found = firstIn(Long.numberOfTrailingZeros(bits), row, from);
      bits &= bits - 1;
    }
    return found;
  }

  /** Returns the highest number of a row that is not above {@code to}, or {@link #NONE}. */
  final int last(int row, int to) {
    if (to < base) {
      return NONE;
    }
    int end = Math.min(WIDTH - 1, place(to));
    long bits = word(row) & (-1L >>> (WIDTH - 1 - end));
    int found = NONE;
    while (bits != 0 && found == NONE) {
      int place = WIDTH - 1 - Long.numberOfLeadingZeros(bits);
      found = lastIn(place, row, to);
      bits &= ~(1L << place);
    }
    return found;
  }

  /**
   * Returns the lowest number of a row in a child that is not below {@code from}, or {@link #NONE}.
   */
  abstract int firstIn(int place, int row, int from);

  /**
   * Returns the highest number of a row in a child that is not above {@code to}, or {@link #NONE}.
   */
  abstract int lastIn(int place, int row, int to);

  private long word(int row) {
    return (long) WORD.getVolatile(words, row);
  }

  /** A node above others. */
  static final class Inner extends IndexNode {

    private final AtomicReferenceArray<@Nullable IndexNode> children =
        new AtomicReferenceArray<>(WIDTH);

    private Inner(int base, int shift, int rows) {
      super(base, shift, rows);
    }

    /**
     * Creates a root above another one. Each row has the old root's bit. Where that is wrong, a
     * search finds nothing there, and the old root's next change corrects it.
     */
    static Inner above(IndexNode root) {
      Inner above = new Inner(root.base, root.shift + WIDTH_BITS, root.words.length);
      for (int row = 0; row < root.words.length; row++) {
        above.set(row, 1);
      }
      above.add(root);
      return above;
    }

    /** Returns how many numbers there are below a child. */
    int childCapacity() {
      return capacity() / WIDTH;
    }

    /** Returns the child that contains a number; null if there is none yet. */
    @Nullable IndexNode child(int number) {
      return children.get(place(number));
    }

    /** Returns the child that contains a number; creates it if necessary. One thread at a time. */
    Inner innerChild(int number) {
      Inner child = (Inner) child(number);
      if (child == null) {
        child = new Inner(number, shift - WIDTH_BITS, words.length);
        add(child);
      }
      return child;
    }

    /** Adds a child of which no bit is set here, or all are. */
    void add(IndexNode child) {
      child.parent = this;
      children.set(place(child.base), child);
    }

    @Override
    int firstIn(int place, int row, int from) {
      IndexNode child = children.get(place);
      return child == null ? NONE : child.first(row, from);
    }

    @Override
    int lastIn(int place, int row, int to) {
      IndexNode child = children.get(place);
      return child == null ? NONE : child.last(row, to);
    }
  }

  /** A node that has segments. */
  static final class Leaf extends IndexNode {

    private final AtomicReferenceArray<@Nullable IndexedSegment> segments =
        new AtomicReferenceArray<>(WIDTH);

    Leaf(int base, int rows) {
      super(base, 0, rows);
    }

    @Nullable IndexedSegment segment(int place) {
      return segments.get(place);
    }

    void segment(int place, @Nullable IndexedSegment segment) {
      segments.set(place, segment);
    }

    @Override
    int firstIn(int place, int row, int from) {
      return base + place;
    }

    @Override
    int lastIn(int place, int row, int to) {
      return base + place;
    }
  }
}
