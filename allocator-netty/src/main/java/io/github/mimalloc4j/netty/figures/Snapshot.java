package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;

/**
 * All figures of an allocator, read together.
 *
 * @param direct the figures of direct memory
 * @param heap the figures of memory on the Java heap
 * @param process the figures of the process
 * @param profile the buffers in use by allocation site
 */
public record Snapshot(
    MemoryStatistics direct,
    MemoryStatistics heap,
    ProcessStatistics process,
    LiveProfile profile) {

  /** The kinds of memory, by Netty's names. */
  public enum Kind {
    DIRECT,
    HEAP;

    /** Returns the name used in text, JSON, management beans and meters. */
    @Override
    public String toString() {
      return Figure.words(this, ' ');
    }
  }

  public MemoryStatistics of(Kind kind) {
    return kind == Kind.DIRECT ? direct : heap;
  }
}
