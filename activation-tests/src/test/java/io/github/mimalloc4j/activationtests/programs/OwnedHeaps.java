package io.github.mimalloc4j.activationtests.programs;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Who owns a heap. Apart from {@link Report}, for it needs the module {@code java.management},
 * which not every program reads.
 */
public final class OwnedHeaps {

  private OwnedHeaps() {}

  /**
   * Reports how many threads have a heap of their own in Netty's default allocator, which is this
   * library's. Its bean tells: the option {@code jmx} must be on.
   */
  public static void report() throws JMException {
    Object count =
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(
                new ObjectName(
                    "io.github.mimalloc4j:type=MiMallocByteBufAllocator,id=1,memory=direct"),
                "OwnedThreadHeaps");
    Report.value("owned heaps", count);
  }
}
