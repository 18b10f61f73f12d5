package io.github.mimalloc4j.core.memory;

/** A leaf of an index with one number in its only row, below a root or about to get one. */
final class RacedRow {

  private static final int ROW = 0;
  private static final int BEFORE = 5;
  private static final int AFTER = 3;

  private final IndexNode.Leaf leaf = new IndexNode.Leaf(0, 1);
  private volatile IndexNode root = leaf;

  RacedRow() {
    leaf.set(ROW, 1L << BEFORE);
  }

  /** Without the number that was there. */
  RacedRow emptied() {
    clear();
    return this;
  }

  /** Has the tree grow by a root. */
  RacedRow grow() {
    root = IndexNode.Inner.above(root);
    return this;
  }

  /** Adds another number. */
  void set() {
    leaf.set(ROW, 1L << AFTER);
  }

  /** Removes the number that was there. */
  void clear() {
    leaf.clear(ROW, BEFORE);
  }

  /** Whether a search leads to the number that was added. At rest. */
  boolean isFound() {
    return root.first(ROW, 0) == AFTER;
  }
}
