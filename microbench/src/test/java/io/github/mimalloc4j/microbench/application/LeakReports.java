package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

/**
 * The leaks that Netty finds, each by the hint that the buffer was touched with. What has none of
 * the known hints is told apart by its records, and goes to the error stream whole.
 */
final class LeakReports extends ResourceLeakDetectorFactory {
  /** Begins each line of a report. */
  static final String REPORT = "reported: ";

  /** The hint of the buffer that {@link #print} loses. */
  static final String LOST_LAST = "lost last";

  private final List<String> hints;
  private final Set<String> found = new ConcurrentSkipListSet<>();

  private LeakReports(List<String> hints) {
    this.hints = hints;
  }

  /** To be called before any class of a buffer is initialized, which takes its detector then. */
  static LeakReports install(String... hints) {
    LeakReports reports = new LeakReports(List.of(hints));
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(reports);
    return reports;
  }

  /**
   * Loses a buffer, and prints the leaks found once it and all others that are wanted are among
   * them: so a detector that sees nothing is not taken for a program without leaks.
   *
   * @param wanted how many of the hints have to be found, up to a limit in time
   */
  void print(ByteBufAllocator allocator, int wanted) throws InterruptedException {
    allocator.heapBuffer(99).touch(LOST_LAST);
    for (int i = 0; i < 600 && hints.stream().filter(found::contains).count() < wanted; i++) {
      collect(allocator);
    }
    for (int i = 0; i < 5; i++) {
      collect(allocator); // for what was not to be
    }
    found.forEach(report -> System.out.println(REPORT + report));
  }

  /** Reports come when buffers are allocated after a collection. */
  private static void collect(ByteBufAllocator allocator) throws InterruptedException {
    System.gc();
    TimeUnit.MILLISECONDS.sleep(50); // the JVM hands references over in its own time
    allocator.heapBuffer(1).release();
    allocator.directBuffer(1).release();
  }

  private void add(String resourceType, String records) {
    for (String hint : hints) {
      if (records.contains(hint)) {
        found.add(hint);
        return;
      }
    }
    found.add("unknown " + resourceType + " " + Integer.toHexString(records.hashCode()));
    System.err.println("leak of a " + resourceType + records);
  }

  @Override
  @Deprecated
  @SuppressWarnings("deprecation")
  public <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval, long maxActive) {
    return new ResourceLeakDetector<>(resource, samplingInterval, maxActive) {
      @Override
      protected void reportTracedLeak(String resourceType, String records) {
        add(resourceType, records);
      }

      @Override
      protected void reportUntracedLeak(String resourceType) {
        add(resourceType, "");
      }
    };
  }
}
