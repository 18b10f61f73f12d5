package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;

/**
 * All figures of an allocator, read together.
 *
 * @param direct those of direct memory
 * @param heap those of memory on the Java heap
 */
public record Snapshot(MemoryStatistics direct, MemoryStatistics heap) {

  /** The kinds of memory, under Netty's names. */
  public enum Kind {
    DIRECT,
    HEAP;

    /** Its name in text, in JSON, of management beans and of meters. */
    @Override
    public String toString() {
      return Figure.words(this, ' ');
    }
  }

  /** The figures of one kind of memory. */
  public MemoryStatistics of(Kind kind) {
    return kind == Kind.DIRECT ? direct : heap;
  }
}
