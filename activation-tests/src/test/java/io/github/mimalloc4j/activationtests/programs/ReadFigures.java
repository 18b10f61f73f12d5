package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/**
 * Reads the allocator's figures, from the allocator itself and through JMX, and a buffer's content.
 */
public final class ReadFigures {

  private ReadFigures() {}

  public static void main(String[] args) throws Exception {
    ByteBuf buffer = MiMallocByteBufAllocator.DEFAULT.directBuffer(100);
    Report.value("content", buffer.writeByte(1).writeLong(42).skipBytes(1).readLong());
    Report.value("indices", buffer.readerIndex() + " " + buffer.writerIndex());
    buffer.release();
    MemoryStatistics direct = MiMallocByteBufAllocator.DEFAULT.metric().direct();
    Report.value("allocations", direct.counts().allocations());
    ObjectName bean =
        new ObjectName("io.github.mimalloc4j:type=MiMallocByteBufAllocator,id=1,memory=direct");
    Report.value(
        "allocations by JMX",
        ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "Allocations"));
  }
}
