package io.github.mimalloc4j.netty.jfr;

import io.netty.buffer.ByteBuf;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;

/** Fields common to the events of buffers. */
@Enabled(false)
abstract class BufferEvent extends AllocatorEvent {

  @Label("Size")
  @Description("The buffer's capacity")
  @DataAmount
  public int size;

  @Label("Fast Capacity")
  @Description("The capacity that fits into the buffer's current memory")
  @DataAmount
  public int maxFastCapacity;

  @Label("Maximum Capacity")
  @Description("The largest capacity that the buffer may have")
  @DataAmount
  public int maxCapacity;

  @Label("Address")
  @Description("The address of direct memory; 0 if unknown")
  @MemoryAddress
  public long address;

  final void describe(ByteBuf buffer, long address) {
    allocatorType = buffer.alloc().getClass();
    direct = buffer.isDirect();
    size = buffer.capacity();
    maxFastCapacity = buffer.writerIndex() + buffer.maxFastWritableBytes();
    maxCapacity = buffer.maxCapacity();
    this.address = address;
  }
}
