package io.github.mimalloc4j.transporttests;

import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Netty's leak detector, named to it by a system property, which keeps what it finds.
 *
 * <p>A detector that sees nothing reports nothing. So each look loses a buffer on purpose and waits
 * until that one is reported.
 */
public final class LeakReports<T> extends ResourceLeakDetector<T> {

  private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

  /** Which Netty uses. */
  public LeakReports(Class<?> resourceType, int samplingInterval) {
    super(resourceType, samplingInterval);
  }

  /** Which Netty used, and looks for still. */
  @Deprecated
  public LeakReports(Class<?> resourceType, int samplingInterval, long maxActive) {
    super(resourceType, samplingInterval, maxActive);
  }

  static boolean contain(String hint) {
    return FOUND.stream().anyMatch(report -> report.contains(hint));
  }

  /** Forgets the reports until now, and returns them. */
  static List<String> take() {
    List<String> reports = List.copyOf(FOUND);
    FOUND.removeAll(reports);
    return reports;
  }

  @Override
  protected void reportTracedLeak(String resourceType, String records) {
    FOUND.add(resourceType + records);
  }

  @Override
  protected void reportUntracedLeak(String resourceType) {
    FOUND.add(resourceType);
  }
}
