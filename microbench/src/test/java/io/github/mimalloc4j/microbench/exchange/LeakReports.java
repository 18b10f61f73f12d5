package io.github.mimalloc4j.microbench.exchange;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The leaks that Netty finds, each by the hint that the buffer was touched with. What has none of
 * the known hints is told apart by its records, and goes to the error stream whole.
 */
public final class LeakReports extends ResourceLeakDetectorFactory {

  private final List<String> hints;
  private final Set<String> found = new ConcurrentSkipListSet<>();

  private LeakReports(List<String> hints) {
    this.hints = hints;
  }

  /** To be called before any class of a buffer is initialized, which takes its detector then. */
  public static LeakReports install(String... hints) {
    LeakReports reports = new LeakReports(List.of(hints));
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(reports);
    return reports;
  }

  public Set<String> found() {
    return found;
  }

  /** How many of the hints were found. */
  public long known() {
    return hints.stream().filter(found::contains).count();
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
