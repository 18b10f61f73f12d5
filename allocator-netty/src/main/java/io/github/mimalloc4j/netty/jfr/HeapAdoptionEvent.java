package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A thread took over the heap of one that has ended. */
@Name("io.github.mimalloc4j.HeapAdoption")
@Label("Heap Adoption")
@Description("The thread took over the heap of one that has ended")
public final class HeapAdoptionEvent extends AllocatorEvent {

  private HeapAdoptionEvent() {}

  /** Records it for the calling thread. */
  public static void record(Class<?> allocatorType, boolean direct) {
    HeapAdoptionEvent event = new HeapAdoptionEvent();
    if (event.isEnabled()) {
      event.allocatorType = allocatorType;
      event.direct = direct;
      event.commit();
    }
  }
}
