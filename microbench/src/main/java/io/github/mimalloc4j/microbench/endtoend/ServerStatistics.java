package io.github.mimalloc4j.microbench.endtoend;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import com.sun.net.httpserver.HttpServer;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.application.CloseOnError;
import io.github.mimalloc4j.microbench.application.LoadResult;
import io.github.mimalloc4j.microbench.jvm.CompilerThreads;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a server under load tells of itself at one moment. Sizes are in bytes; what the system or
 * the allocator does not tell is null.
 *
 * @param usedDirect memory that the allocator holds for direct buffers, handed out or not
 * @param usedHeap the same for heap buffers
 * @param usedByDefault memory that Netty's default allocator holds: 0 if the whole server uses the
 *     allocator under test; null if that is the default
 * @param resident what the process has in the machine's memory
 * @param javaHeap the size of its Java heap, of which not all may be resident
 * @param garbage Java objects allocated since the start by all threads but the one that tells; what
 *     a thread allocated since the time before is missing if it has ended
 * @param cpuNanos processor time of the process
 * @param compilerNanos the part of it that compiled Java code
 * @param failures exceptions that closed a connection, and that no client caused
 */
record ServerStatistics(
    @Nullable Long usedDirect,
    @Nullable Long usedHeap,
    @Nullable Long usedByDefault,
    @Nullable Long resident,
    long javaHeap,
    @Nullable Long garbage,
    @Nullable Long cpuNanos,
    @Nullable Long compilerNanos,
    long failures) {

  /** Compilers rest if they take less than one part in so many of the processor time. */
  private static final int RESTING_PARTS = 20;

  /**
   * Tells them to whoever asks, by HTTP and without Netty, so that nobody but the application uses
   * the allocator. It has one thread, which is idle between requests.
   *
   * @return the server, on a free port of the loopback address
   */
  static HttpServer serve(AllocatorSource source, ByteBufAllocator allocator) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Map<Long, Long> garbage = new HashMap<>(); // by thread, ended ones included
    server.createContext(
        "/",
        exchange -> {
          byte[] body = json(source, allocator, garbage).getBytes(StandardCharsets.US_ASCII);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    return server;
  }

  /** Without a library, which would have to be loaded and compiled in the measured JVM. */
  private static String json(
      AllocatorSource source, ByteBufAllocator allocator, Map<Long, Long> garbage) {
    return """
    {"usedDirect":%s,"usedHeap":%s,"usedByDefault":%s,"resident":%s,"javaHeap":%s,"garbage":%s,\
    "cpuNanos":%s,"compilerNanos":%s,"failures":%s}
    """
        .formatted(
            source.usedBytes(allocator, BufferKind.DIRECT),
            source.usedBytes(allocator, BufferKind.HEAP),
            allocator == ByteBufAllocator.DEFAULT
                ? null
                : source.usedBytes(ByteBufAllocator.DEFAULT),
            number(ResidentMemory.bytes()),
            Runtime.getRuntime().totalMemory(),
            number(garbageOfAll(garbage)),
            number(cpuOfProcess()),
            number(CompilerThreads.cpuNanos()),
            CloseOnError.failures());
  }

  private static String number(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "null";
  }

  private static OptionalLong garbageOfAll(Map<Long, Long> garbage) {
    if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
        || !threads.isThreadAllocatedMemorySupported()
        || !threads.isThreadAllocatedMemoryEnabled()) {
      return OptionalLong.empty();
    }
    long[] ids = threads.getAllThreadIds();
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    for (int i = 0; i < ids.length; i++) {
      garbage.merge(ids[i], Math.max(0, bytes[i]), Math::max); // Below 0: it has just ended.
    }
    garbage.remove(Thread.currentThread().getId());
    return OptionalLong.of(garbage.values().stream().mapToLong(Long::longValue).sum());
  }

  private static OptionalLong cpuOfProcess() {
    long nanos =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getProcessCpuTime()
            : -1;
    return nanos < 0 ? OptionalLong.empty() : OptionalLong.of(nanos);
  }

  /** Whether a load since then was hardly compiled any more; false if the system does not tell. */
  boolean compilersRestedSince(ServerStatistics before) {
    if (cpuNanos == null
        || compilerNanos == null
        || before.cpuNanos == null
        || before.compilerNanos == null) {
      return false;
    }
    return (compilerNanos - before.compilerNanos) * RESTING_PARTS < cpuNanos - before.cpuNanos;
  }

  /**
   * The result of a load since then, with an error if the server failed: a tool may have connected
   * again and said nothing.
   */
  LoadResult withFailuresSince(ServerStatistics before, LoadResult result) {
    return failures == before.failures
        ? result
        : result.withError("the server closed a connection after an exception of its own");
  }

  /** Of a server whose Java heap is resident from the start. */
  Memory memory() {
    return new Memory(used(), resident == null ? null : Long.valueOf(resident - javaHeap));
  }

  private @Nullable Long used() {
    return usedDirect == null || usedHeap == null
        ? null
        : Long.valueOf(usedDirect + usedHeap + (usedByDefault == null ? 0 : usedByDefault));
  }

  /**
   * Memory of a server, in bytes.
   *
   * @param used what the allocator holds, direct and heap, and Netty's default if that is another
   *     one; null if it does not tell
   * @param resident what the process has in the machine's memory beside its Java heap; null if the
   *     system does not tell
   */
  record Memory(@Nullable Long used, @Nullable Long resident) {
    Memory max(Memory other) {
      return new Memory(max(used, other.used), max(resident, other.resident));
    }

    private static @Nullable Long max(@Nullable Long one, @Nullable Long other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      return Math.max(one, other);
    }
  }
}
