package io.github.mimalloc4j.activationtests.programs;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** What a program tells the test that started it. Uses public API of Netty and the JDK only. */
public final class Report {

  /** Begins a line of the report; other lines are of no interest. */
  public static final String PREFIX = "report: ";

  private Report() {}

  public static void value(String name, Object value) {
    System.out.println(PREFIX + name + '=' + value);
  }

  /** Reports which allocator it is. */
  public static void allocator(String name, ByteBufAllocator allocator) {
    value(name, allocator.getClass().getSimpleName());
  }

  /**
   * How many threads have a heap of their own in Netty's default allocator, which is this
   * library's. Its bean tells: the option {@code jmx} must be on.
   */
  public static long ownedHeaps() throws JMException {
    return (long)
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(
                new ObjectName(
                    "io.github.mimalloc4j:type=MiMallocByteBufAllocator,id=1,memory=direct"),
                "OwnedThreadHeaps");
  }

  /** The direct memory that Netty's default allocator holds, by its own figures. */
  public static long usedBytes() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }
}
