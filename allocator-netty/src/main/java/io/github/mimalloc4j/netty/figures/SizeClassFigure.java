package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import java.util.function.ToLongFunction;

/** The figures of one size class: the columns of its row in text, and its members in JSON. */
enum SizeClassFigure {
  BLOCK_BYTES(SizeClass::blockBytes),
  PAGES(SizeClass::pages),
  PAGE_BYTES(SizeClass::pageBytes),
  LIVE_BLOCKS(SizeClass::liveBlocks),
  FREE_BLOCKS(SizeClass::freeBlocks);

  @SuppressWarnings("ImmutableEnumChecker") // The functions are stateless.
  private final ToLongFunction<SizeClass> reading;

  SizeClassFigure(ToLongFunction<SizeClass> reading) {
    this.reading = reading;
  }

  long of(SizeClass sizeClass) {
    return reading.applyAsLong(sizeClass);
  }
}
