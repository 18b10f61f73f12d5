package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.Run;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a {@link Page} that threads read when they release its blocks. They are set once,
 * before the page is shared. {@link PagePadding} separates them from the fields that the holder
 * keeps writing, so that threads that release blocks of a page do not take its holder's cache line
 * away.
 */
abstract class PageFields<B extends Block> {

  /** The heap that the page belongs to for ever; null for a large page, which belongs to none. */
  final @Nullable Heap<B> heap;

  final Run run;
  final Memory memory;
  final DeferredList deferred;
  final int blockBytes;

  PageFields(@Nullable Heap<B> heap, Run run, DeferredList deferred, int blockBytes) {
    this.heap = heap;
    this.run = run;
    this.memory = run.memory();
    this.deferred = deferred;
    this.blockBytes = blockBytes;
  }
}
