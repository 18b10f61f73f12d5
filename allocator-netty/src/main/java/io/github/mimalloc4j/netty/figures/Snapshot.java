package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;

/**
 * All figures of an allocator, read together.
 *
 * @param direct those of direct memory
 * @param heap those of memory on the Java heap
 * @param process those that are not of an allocator
 */
public record Snapshot(MemoryStatistics direct, MemoryStatistics heap, ProcessStatistics process) {

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
