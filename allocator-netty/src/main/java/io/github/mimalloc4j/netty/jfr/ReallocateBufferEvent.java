package io.github.mimalloc4j.netty.jfr;

import io.netty.buffer.ByteBuf;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A buffer is about to move to another block. An {@link AllocateBufferEvent} follows. */
@Name("io.netty.ReallocateBuffer")
@Label("Buffer Reallocation")
@Description("A buffer must grow beyond its memory. An allocation event follows")
public final class ReallocateBufferEvent extends BufferEvent {

  private static final ReallocateBufferEvent PROBE = new ReallocateBufferEvent();

  @Label("New Capacity")
  @Description("The requested capacity")
  @DataAmount
  public int newCapacity;

  private ReallocateBufferEvent() {}

  /** Returns whether a recording has enabled the event. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }

  /** Records a buffer as it was before the move. */
  public static void record(ByteBuf buffer, long address, int newCapacity) {
    ReallocateBufferEvent event = new ReallocateBufferEvent();
    event.describe(buffer, address);
    event.newCapacity = newCapacity;
    event.commit();
  }
}
