package io.github.mimalloc4j.netty.jfr;

import io.netty.buffer.ByteBuf;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The last reference to a buffer was released. */
@Name("io.netty.FreeBuffer")
@Label("Buffer Deallocation")
@Description("The last reference to a buffer was released")
public final class FreeBufferEvent extends BufferEvent {

  private static final FreeBufferEvent PROBE = new FreeBufferEvent();

  private FreeBufferEvent() {}

  /** Returns whether a recording has enabled the event. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }

  /** Records a buffer. Nobody else must be able to obtain it before that. */
  public static void record(ByteBuf buffer, long address) {
    FreeBufferEvent event = new FreeBufferEvent();
    event.describe(buffer, address);
    event.commit();
  }
}
