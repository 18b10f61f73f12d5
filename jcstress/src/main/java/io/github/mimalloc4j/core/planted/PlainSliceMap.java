package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.memory.SliceMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Planted bug: the words of the bitmap are read and written in two steps. */
final class PlainSliceMap implements SliceMap {

  private final long[] words;
  private final int slices;
  private final AtomicInteger free;

  PlainSliceMap(int slices) {
    this.slices = slices;
    words = new long[slices / Long.SIZE];
    free = new AtomicInteger(slices);
  }

  @Override
  public int claim(int count) {
    for (int first = 0; first + count <= slices; first++) {
      if (isFree(first, count)) {
        change(first, count);
        free.addAndGet(-count);
        return first;
      }
    }
    return NO_ROOM;
  }

  @Override
  public void release(int first, int count) {
    change(first, count);
    free.addAndGet(count);
  }

  @Override
  public boolean claimWhole() {
    boolean empty = free.get() == slices && isFree(0, slices);
    if (empty) {
      change(0, slices);
    }
    return empty;
  }

  @Override
  public int claimed() {
    int claimed = 0;
    for (long word : words) {
      claimed += Long.bitCount(word);
    }
    return claimed;
  }

  @Override
  public int free() {
    return free.get();
  }

  private boolean isFree(int first, int count) {
    for (int slice = first; slice < first + count; slice++) {
      if ((words[slice / Long.SIZE] >>> slice & 1) != 0) {
        return false;
      }
    }
    return true;
  }

  private void change(int first, int count) {
    for (int slice = first; slice < first + count; slice++) {
      words[slice / Long.SIZE] ^= 1L << slice;
    }
  }
}
