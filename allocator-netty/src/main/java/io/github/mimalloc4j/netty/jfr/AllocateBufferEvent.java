package io.github.mimalloc4j.netty.jfr;

import io.netty.buffer.ByteBuf;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A buffer was allocated, or moved to another block because it grew. */
@Name("io.netty.AllocateBuffer")
@Label("Buffer Allocation")
@Description("A buffer was allocated, or moved to other memory to grow")
public final class AllocateBufferEvent extends BufferEvent {

  private static final AllocateBufferEvent PROBE = new AllocateBufferEvent();

  @Label("Chunk Pooled")
  @Description("Whether other buffers share the buffer's segment")
  public boolean chunkPooled;

  @Label("Chunk Thread-Local")
  @Description("Whether the buffer came from the thread's own heap")
  public boolean chunkThreadLocal;

  private AllocateBufferEvent() {}

  /** Returns whether a recording has enabled the event. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }

  /** Records a buffer that is in use. */
  public static void record(
      ByteBuf buffer, long address, boolean chunkPooled, boolean chunkThreadLocal) {
    AllocateBufferEvent event = new AllocateBufferEvent();
    event.describe(buffer, address);
    event.chunkPooled = chunkPooled;
    event.chunkThreadLocal = chunkThreadLocal;
    event.commit();
  }
}
