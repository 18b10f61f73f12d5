package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A segment is given back to the system. */
@Name("io.netty.FreeChunk")
@Label("Chunk Free")
@Description("A segment is returned to the system")
public final class FreeChunkEvent extends ChunkEvent {

  private FreeChunkEvent() {}

  /** Records a segment if the event is enabled. */
  public static void record(
      Class<?> allocatorType, boolean direct, int bytes, long address, boolean pooled) {
    FreeChunkEvent event = new FreeChunkEvent();
    if (event.isEnabled()) {
      event.describe(allocatorType, direct, bytes, address, pooled);
      event.commit();
    }
  }
}
