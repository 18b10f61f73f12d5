package io.github.mimalloc4j.microbench.exchange;

import io.github.mimalloc4j.netty.MiMalloc;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocatorMetric;
import java.util.concurrent.TimeUnit;

/**
 * A program: a whole exchange with every buffer watched for leaks. One that came at the client is
 * lost on purpose if it is told to.
 *
 * <p>Prints the bytes that are in use afterwards, and the leaks found.
 */
final class ParanoidExchange {

  private ParanoidExchange() {}

  public static void main(String[] args) throws Exception {
    LeakReports reports = LeakReports.install(LeakReports.LOST_LAST, Loss.HINT);
    Protocol protocol = Protocol.valueOf(args[0]);
    Loss loss = new Loss(Boolean.parseBoolean(args[1]));
    // Netty's default, too: some codecs have channels inside, which take that.
    if (!MiMalloc.install()) {
      throw new AssertionError("not installed");
    }
    MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
    try (Ends ends = new Ends(allocator, loss)) {
      protocol.exchange(ends);
      // Before the event loops end: what they would release then was forgotten until then.
      long pinned = pinnedBytes(allocator);
      for (int i = 0; i < 100 && pinned > 0 && !loss.isDone(); i++) {
        TimeUnit.MILLISECONDS.sleep(50); // connections are closed, not all loops may know it
        pinned = pinnedBytes(allocator);
      }
      System.out.println("pinned: " + pinned); // not read again: a loop may be reading an end
    }
    reports.print(allocator, loss.isDone() ? 2 : 1);
  }

  private static long pinnedBytes(MiMallocByteBufAllocator allocator) {
    MiMallocByteBufAllocatorMetric metric = allocator.metric();
    return metric.pinnedDirectMemory() + metric.pinnedHeapMemory();
  }
}
