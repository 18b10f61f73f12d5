package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.exchange.LeakReports;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.TimeUnit;

/**
 * A program: all workloads with one allocator, over all transports, with every buffer watched for
 * leaks.
 *
 * <p>Prints a line for each workload, and the leaks found once a buffer that it lost last was among
 * them: so a detector that sees nothing is not taken for servers without leaks.
 */
final class ParanoidApplications {
  static final String LOST_LAST = "lost last";
  static final int CONNECTIONS = 3;
  static final int REQUESTS = 100; // on each connection

  private static final int EVENT_LOOPS = 2;

  private ParanoidApplications() {}

  public static void main(String[] args) throws Exception {
    LeakReports reports = LeakReports.install(LOST_LAST);
    AllocatorKind kind = AllocatorKind.valueOf(args[0]);
    for (Transport transport : Transport.values()) {
      if (transport.isAvailable()) {
        for (Workload workload : Workloads.named(args[1])) {
          ByteBufAllocator allocator = kind.create();
          String result = run(workload, new Environment(allocator, transport, EVENT_LOOPS));
          System.out.printf(
              "%s over %s: %s, pinned %d%n",
              workload.name(), transport.optionName(), result, pinnedBytes(kind, allocator));
        }
      }
    }
    ByteBufAllocator allocator = kind.create();
    allocator.heapBuffer(99).touch(LOST_LAST);
    for (int i = 0; i < 600 && reports.known() < 1; i++) {
      collect(allocator);
    }
    for (int i = 0; i < 5; i++) {
      collect(allocator); // for what was not to be
    }
    reports.found().forEach(report -> System.out.println("reported: " + report));
  }

  private static String run(Workload workload, Environment environment) throws Exception {
    try (Server server = workload.server().start(environment);
        ClosedLoop loop = new ClosedLoop(workload, server.port(), CONNECTIONS)) {
      loop.run(REQUESTS);
      return "%d correct, first error %s".formatted(loop.correct(), loop.firstError());
    }
  }

  /** Bytes of live buffers; 0 where the allocator does not tell. */
  private static long pinnedBytes(AllocatorKind kind, ByteBufAllocator allocator) {
    long sum = 0;
    for (BufferKind buffers : BufferKind.values()) {
      sum += kind.pinnedBytes(allocator, buffers).orElse(0);
    }
    return sum;
  }

  /** Reports come when buffers are allocated after a collection. */
  private static void collect(ByteBufAllocator allocator) throws InterruptedException {
    System.gc();
    TimeUnit.MILLISECONDS.sleep(50); // the JVM hands references over in its own time
    allocator.heapBuffer(1).release();
    allocator.directBuffer(1).release();
  }
}
