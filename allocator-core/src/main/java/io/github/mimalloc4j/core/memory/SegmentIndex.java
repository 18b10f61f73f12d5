package io.github.mimalloc4j.core.memory;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Segments by the lengths of their gaps. Each length has a <i>row</i>: the set of the segments that
 * have such a gap. A search takes a few steps, however many segments there are.
 *
 * <p>A segment has a number, the lowest that is free when it is added. Rows are sets of numbers in
 * one tree of bitmaps, {@linkplain IndexNode 64 children} wide, so that 262,144 segments have three
 * levels. (The rows divide the lengths as in TLSF: M. Masmano, I. Ripoll, A. Crespo, J. Real,
 * "TLSF: a new dynamic memory allocator for real-time systems", 2004. TLSF also has a bitmap of the
 * rows that are not empty. Here a search goes from row to row.)
 *
 * <p>Thread-safe. Lock-free, except for new leaves, one for 64 segments. The only subclass is a
 * test's, which counts.
 */
class SegmentIndex {

  /** Gaps of fewer slices than this have a row for each length. */
  private static final int EXACT_LENGTHS = 64;

  /** The binary logarithm of the number of rows for each doubling of the length above that. */
  private static final int ROWS_A_DOUBLING_BITS = 3;

  private static final int EXACT_BITS = 6;

  /** The number of rows of gaps; the last row also has all longer gaps. */
  static final int GAP_ROWS = 2 * Long.SIZE - 8;

  /** The row of segments without a claimed slice. */
  static final int FREE = GAP_ROWS;

  /** The row of numbers that no segment has. */
  private static final int VACANT = GAP_ROWS + 1;

  private static final int ROWS = GAP_ROWS + 2;

  static final int NONE = IndexNode.NONE;

  private static final VarHandle GROWING;

  static {
    try {
      GROWING = MethodHandles.lookup().findVarHandle(SegmentIndex.class, "growing", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile IndexNode root = new IndexNode.Leaf(0, ROWS);
  private volatile int leaves;

  /** Whether a thread is adding a leaf. */
  private volatile boolean growing;

  /**
   * Returns the row of gaps of that many slices, 1 or more. Longer gaps have the same row or a
   * later one.
   */
  static int row(int slices) {
    if (slices < EXACT_LENGTHS) {
      return slices;
    }
    int exponent = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(slices);
    int step = (slices >>> (exponent - ROWS_A_DOUBLING_BITS)) - (1 << ROWS_A_DOUBLING_BITS);
    int firstOfDoubling = EXACT_LENGTHS + ((exponent - EXACT_BITS) << ROWS_A_DOUBLING_BITS);
    return Math.min(GAP_ROWS - 1, firstOfDoubling + step);
  }

  /** Returns the lowest number in a row that is not below {@code from}, or {@link #NONE}. */
  final int first(int row, int from) {
    return root.first(row, from);
  }

  /** Returns the highest number in a row that is not above {@code to}, or {@link #NONE}. */
  final int last(int row, int to) {
    return root.last(row, to);
  }

  /** Returns a number above all that segments have ever had. */
  final int end() {
    return leaves * IndexNode.WIDTH;
  }

  /** Returns the segment of a number that was found; null if it is gone. */
  @Nullable IndexedSegment get(int number) {
    IndexNode.Leaf leaf = leaf(number);
    return leaf.segment(leaf.place(number));
  }

  /**
   * Gives a segment a number, but no row.
   *
   * @throws OutOfMemoryError if there is no Java heap for a leaf; nothing has changed then
   */
  final void add(IndexedSegment segment) {
    for (int attempt = 0; ; attempt++) {
      int number = first(VACANT, 0);
      if (number == NONE) {
        if (!grow()) {
          Pause.after(attempt);
        }
        continue;
      }
      IndexNode.Leaf leaf = leaf(number);
      int place = leaf.place(number);
      if (leaf.clear(VACANT, place)) {
        segment.entered(leaf, place);
        leaf.segment(place, segment);
        return;
      }
    }
  }

  /** Updates the bits of all nodes: some may not have been settled. */
  final void settle() {
    for (int number = 0; number < end(); number += IndexNode.WIDTH) {
      leaf(number).settleAll();
    }
  }

  /** Frees a number that has no segment any more, and is in no row. */
  static void vacate(IndexNode.Leaf leaf, int place) {
    leaf.set(VACANT, 1L << place);
  }

  /** Adds a leaf; returns false if another thread is about to. */
  private boolean grow() {
    if (!GROWING.compareAndSet(this, false, true)) {
      return false;
    }
    try {
      if (first(VACANT, 0) == NONE) {
        addLeaf(leaves);
      }
      return true;
    } finally {
      growing = false; // at the end of the stack a call might fail
    }
  }

  private void addLeaf(int index) {
    IndexNode.Leaf leaf = index == 0 ? (IndexNode.Leaf) root : attachLeaf(index * IndexNode.WIDTH);
    leaves = index + 1;
    leaf.set(VACANT, -1L);
  }

  private IndexNode.Leaf attachLeaf(int number) {
    IndexNode.Leaf leaf = new IndexNode.Leaf(number, ROWS);
    if (number >= root.capacity()) {
      root = IndexNode.Inner.above(root);
    }
    IndexNode.Inner node = (IndexNode.Inner) root;
    while (node.childCapacity() > IndexNode.WIDTH) {
      node = node.innerChild(number);
    }
    node.add(leaf);
    return leaf;
  }

  private IndexNode.Leaf leaf(int number) {
    IndexNode node = root;
    while (node instanceof IndexNode.Inner inner) {
      node = requireNonNull(inner.child(number), "no leaf has this number");
    }
    return (IndexNode.Leaf) node;
  }
}
