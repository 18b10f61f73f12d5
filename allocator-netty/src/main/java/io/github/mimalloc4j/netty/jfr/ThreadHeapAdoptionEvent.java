package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A thread adopted the heap of a thread that has ended. */
@Name("io.github.mimalloc4j.ThreadHeapAdoption")
@Label("Thread Heap Adoption")
@Description("A thread adopted the heap of a thread that had ended")
public final class ThreadHeapAdoptionEvent extends AllocatorEvent {

  private ThreadHeapAdoptionEvent() {}

  /** Records the event for the calling thread, if it is enabled. */
  public static void record(Class<?> allocatorType, boolean direct) {
    ThreadHeapAdoptionEvent event = new ThreadHeapAdoptionEvent();
    if (event.isEnabled()) {
      event.allocatorType = allocatorType;
      event.direct = direct;
      event.commit();
    }
  }
}
