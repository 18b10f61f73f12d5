package io.github.mimalloc4j.microbench.replay;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the Java threads of this JVM have used so far: the players', those that carry virtual
 * threads, and those of the allocator, but not those of the JVM's compiler and garbage collector.
 */
final class CpuTime {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private record Used(long nanos, long javaBytes) {}

  private final Map<Long, Used> used = new HashMap<>();

  private CpuTime() {}

  /** Of the platform thread that calls; 0 of a virtual one, which no JVM tells. */
  static long ofThisThread() {
    try {
      return THREADS.getCurrentThreadCpuTime();
    } catch (UnsupportedOperationException e) {
      return 0;
    }
  }

  /** As it is now; some threads are left out. */
  static CpuTime now(Set<Long> leftOut) {
    CpuTime now = new CpuTime();
    long[] ids = THREADS.getAllThreadIds();
    long[] nanos = THREADS.getThreadCpuTime(ids);
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    for (int i = 0; i < ids.length; i++) {
      if (!leftOut.contains(ids[i]) && nanos[i] >= 0) {
        now.used.put(ids[i], new Used(nanos[i], bytes[i]));
      }
    }
    return now;
  }

  long nanosSince(CpuTime earlier) {
    return used.entrySet().stream()
        .mapToLong(entry -> entry.getValue().nanos() - earlier.of(entry.getKey()).nanos())
        .sum();
  }

  /** Bytes of Java objects. */
  long javaBytesSince(CpuTime earlier) {
    return used.entrySet().stream()
        .mapToLong(entry -> entry.getValue().javaBytes() - earlier.of(entry.getKey()).javaBytes())
        .sum();
  }

  private Used of(Long id) {
    return used.getOrDefault(id, new Used(0, 0));
  }
}
