package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.Run;
import org.jspecify.annotations.Nullable;

/**
 * What every thread reads of a {@link Page}: set once, before the page is shared. It lies in front
 * of what the holder keeps writing, with {@link PagePadding} between, so that threads which release
 * blocks of a page do not take its holder's cache line away.
 */
abstract class PageFields<B extends Block> {

  /** The heap that the page belongs to for ever; null if it belongs to none: a large page. */
  final @Nullable Heap<B> heap;

  final Run run;
  final Memory memory;
  final DeferredList deferred;
  final int blockSize;

  PageFields(@Nullable Heap<B> heap, Run run, DeferredList deferred, int blockSize) {
    this.heap = heap;
    this.run = run;
    this.memory = run.memory();
    this.deferred = deferred;
    this.blockSize = blockSize;
  }
}
