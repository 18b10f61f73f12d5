package io.github.mimalloc4j.netty.jfr;

import io.netty.buffer.ByteBuf;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The last reference to a buffer was given back. */
@Name("io.netty.FreeBuffer")
@Label("Buffer Deallocation")
@Description("The last reference to a buffer was released")
public final class FreeBufferEvent extends BufferEvent {

  private static final FreeBufferEvent PROBE = new FreeBufferEvent();

  private FreeBufferEvent() {}

  /** Whether a recording has it. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }

  /** Records a buffer, which nobody else must get before that. */
  public static void record(ByteBuf buffer, long address) {
    FreeBufferEvent event = new FreeBufferEvent();
    event.describe(buffer, address);
    event.commit();
  }
}
