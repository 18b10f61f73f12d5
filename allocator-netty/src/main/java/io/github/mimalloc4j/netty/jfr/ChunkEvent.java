package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;

/** Fields common to the events of segments, which Netty calls chunks. */
@Enabled(false)
abstract class ChunkEvent extends AllocatorEvent {

  @Label("Capacity")
  @Description("The size of the segment")
  @DataAmount
  public int capacity;

  @Label("Address")
  @Description("The address of direct memory; 0 if unknown")
  @MemoryAddress
  public long address;

  @Label("Pooled")
  @Description("Whether the segment serves many buffers rather than one huge buffer")
  public boolean pooled;

  final void describe(
      Class<?> allocatorType, boolean direct, int bytes, long address, boolean pooled) {
    this.allocatorType = allocatorType;
    this.direct = direct;
    capacity = bytes;
    this.address = address;
    this.pooled = pooled;
  }
}
