package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Run;
import org.jspecify.annotations.Nullable;

/** 64 bytes of padding between the fields of {@link PageFields} and those of {@link Page}. */
@SuppressWarnings("unused")
abstract class PagePadding<B extends Block> extends PageFields<B> {

  private long p0;
  private long p1;
  private long p2;
  private long p3;
  private long p4;
  private long p5;
  private long p6;
  private long p7;

  PagePadding(@Nullable Heap<B> heap, Run run, DeferredList deferred, int blockBytes) {
    super(heap, run, deferred, blockBytes);
  }
}
