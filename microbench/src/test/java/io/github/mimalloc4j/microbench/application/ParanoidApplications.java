package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.exchange.LeakReports;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program: workloads with each allocator over all transports, with every buffer watched for
 * leaks.
 *
 * <p>Prints a line for each of them, and the leaks found.
 */
final class ParanoidApplications {
  private static final Set<AllocatorKind> KINDS =
      EnumSet.complementOf(EnumSet.of(AllocatorKind.UNPOOLED));
  private static final List<Transport> TRANSPORTS =
      Stream.of(Transport.values()).filter(Transport::isAvailable).toList();
  private static final int CONNECTIONS = 3;
  private static final int EVENT_LOOPS = 2;

  private ParanoidApplications() {}

  public static void main(String[] args) throws Exception {
    LeakReports reports = LeakReports.install(LeakReports.LOST_LAST);
    for (AllocatorKind kind : KINDS) {
      for (Transport transport : TRANSPORTS) {
        for (Workload workload : Workloads.named(args[0])) {
          ByteBufAllocator allocator = kind.create();
          String result = run(workload, new Environment(allocator, transport, EVENT_LOOPS));
          System.out.println(
              line(kind, transport, workload, result + pinnedBytesAtRest(kind, allocator)));
        }
      }
    }
    reports.print(AllocatorKind.MIMALLOC.create(), 1);
  }

  /** What it prints for each of them if all is well. */
  static List<String> expected(String workloads) {
    List<String> lines = new ArrayList<>();
    for (AllocatorKind kind : KINDS) {
      for (Transport transport : TRANSPORTS) {
        for (Workload each : Workloads.named(workloads)) {
          int requests = CONNECTIONS * ClosedLoop.someRequests(each);
          lines.add(line(kind, transport, each, result(requests, null) + 0));
        }
      }
    }
    return lines;
  }

  private static String line(
      AllocatorKind kind, Transport transport, Workload workload, String result) {
    return "%s over %s with %s: %s"
        .formatted(workload.name(), transport.optionName(), kind.optionName(), result);
  }

  private static String result(int correct, @Nullable String error) {
    return "%d correct, first error %s, pinned ".formatted(correct, error);
  }

  private static String run(Workload workload, Environment environment) throws Exception {
    try (Server server = workload.server().start(environment);
        ClosedLoop loop = new ClosedLoop(workload, server.port(), CONNECTIONS)) {
      loop.run(ClosedLoop.someRequests(workload));
      return result(loop.correct(), loop.firstError());
    }
  }

  /** Bytes of live buffers; 0 where the allocator does not tell. */
  /** For a moment, what upkeep collects is counted as in use. */
  private static long pinnedBytesAtRest(AllocatorKind kind, ByteBufAllocator allocator)
      throws InterruptedException {
    for (int i = 0; i < 200 && pinnedBytes(kind, allocator) > 0; i++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return pinnedBytes(kind, allocator);
  }

  private static long pinnedBytes(AllocatorKind kind, ByteBufAllocator allocator) {
    long sum = 0;
    for (BufferKind buffers : BufferKind.values()) {
      sum += kind.pinnedBytes(allocator, buffers).orElse(0);
    }
    return sum;
  }
}
