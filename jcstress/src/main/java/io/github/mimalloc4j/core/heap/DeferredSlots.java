package io.github.mimalloc4j.core.heap;

/** What the races see of a {@link DeferredList}, so that a broken one can take its place. */
public interface DeferredSlots {

  int NONE = DeferredList.NONE;

  boolean push(int slot);

  int takeAll();

  int next(int slot);

  boolean ask();

  /** The real list. */
  static DeferredSlots real(int capacity) {
    DeferredList list = new DeferredList(capacity);
    return new DeferredSlots() {
      @Override
      public boolean push(int slot) {
        return list.push(slot);
      }

      @Override
      public int takeAll() {
        return list.takeAll();
      }

      @Override
      public int next(int slot) {
        return list.next(slot);
      }

      @Override
      public boolean ask() {
        return list.ask();
      }
    };
  }
}
