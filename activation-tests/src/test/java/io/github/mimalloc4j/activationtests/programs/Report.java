package io.github.mimalloc4j.activationtests.programs;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;

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

  /** The direct memory that Netty's default allocator holds, by its own figures. */
  public static long usedBytes() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }
}
