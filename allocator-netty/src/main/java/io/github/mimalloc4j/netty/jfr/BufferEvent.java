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
  @Description("How far the buffer could grow in the memory that it has")
  @DataAmount
  public int maxFastCapacity;

  @Label("Maximum Capacity")
  @Description("How far the buffer may grow")
  @DataAmount
  public int maxCapacity;

  @Label("Address")
  @Description("Where direct memory begins; 0 if that is not known")
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
