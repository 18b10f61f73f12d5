package io.github.mimalloc4j.core.memory;

import java.util.function.LongSupplier;

/**
 * Limits how often allocations that find no memory search all pages, or all segments. At a memory
 * limit, thousands of allocations may fail each second, while there are hundreds of thousands of
 * pages. So on average, each may look at a limited number. If there are more, the first allocation
 * searches them all, and then every so many do, or one after at most a second. In between, an
 * allocation still finds what its own thread has released, what was posted to its heap, and what
 * upkeep has given back. Not counted is that it trims some portions of shared heaps.
 *
 * <p>Thread-safe. Where threads save at the same time, some of what they save may be lost.
 */
public final class SearchBudget {

  /** How many an allocation may look at on average: about a tenth of a millisecond. */
  static final int LOOKS = 1024;

  /** After this time for each that there is, one looks at all: 20 times what looking takes. */
  static final long NANOS_PER_LOOK = 2_000;

  /** After this time, an allocation looks at all there is. */
  static final long MAX_NANOS = 1_000_000_000;

  private final LongSupplier nanoTime;
  private volatile long saved;
  private volatile long lookedAt;

  /** Creates a budget that allows the first look. */
  public SearchBudget() {
    this(System::nanoTime);
  }

  SearchBudget(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    lookedAt = nanoTime.getAsLong() - MAX_NANOS;
  }

  /**
   * Returns whether an allocation that has found no memory may look at all there is.
   *
   * @param looks the number of pages or segments, 0 or more
   */
  public boolean allows(int looks) {
    long now = nanoTime.getAsLong();
    long saved = this.saved + LOOKS;
    boolean allowed =
        saved >= looks || now - lookedAt >= Math.min(looks * NANOS_PER_LOOK, MAX_NANOS);
    this.saved = allowed ? 0 : saved;
    if (allowed) {
      lookedAt = now;
    }
    return allowed;
  }
}
