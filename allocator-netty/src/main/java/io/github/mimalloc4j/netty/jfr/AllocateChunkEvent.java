package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A segment was obtained from the system. */
@Name("io.netty.AllocateChunk")
@Label("Chunk Allocation")
@Description("A segment was obtained from the system")
public final class AllocateChunkEvent extends ChunkEvent {

  @Label("Thread-Local")
  @Description("Whether only one thread uses the segment; always false: heaps share segments")
  public boolean threadLocal;

  private AllocateChunkEvent() {}

  /** Records a segment if the event is enabled. */
  public static void record(
      Class<?> allocatorType, boolean direct, int bytes, long address, boolean pooled) {
    AllocateChunkEvent event = new AllocateChunkEvent();
    if (event.isEnabled()) {
      event.describe(allocatorType, direct, bytes, address, pooled);
      event.commit();
    }
  }
}
