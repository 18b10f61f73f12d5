package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;

/** The C library gave freed memory back. The event's duration is that of the command. */
@Registered(false) // EventRegistration does it
@Name("io.github.mimalloc4j.NativeHeapTrim")
@Label("Native Heap Trim")
@Description("The C library returned freed memory to the system")
@Category("Netty")
public final class NativeHeapTrimEvent extends Event {

  @Label("Bytes")
  @Description("The decrease in resident memory; 0 if unknown")
  @DataAmount
  public long bytes;

  private NativeHeapTrimEvent() {}

  public static NativeHeapTrimEvent begun() {
    NativeHeapTrimEvent event = new NativeHeapTrimEvent();
    event.begin();
    return event;
  }

  /** Ends the event and records it for the calling thread, if it is enabled. */
  public void end(long bytes) {
    end();
    if (shouldCommit()) {
      this.bytes = bytes;
      commit();
    }
  }
}
