package io.github.mimalloc4j.netty.system;

import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A native heap whose trims are counted, take as long as they are told to, and do nothing. */
public final class PlantedNativeHeap implements TrimCommand {

  public final AtomicLong nanos = new AtomicLong();
  public final AtomicInteger trims = new AtomicInteger();
  public final NativeHeap heap = new NativeHeap(this, () -> ProcessStatistics.UNKNOWN, nanos::get);

  /** Called in the next trim. */
  public Runnable whenRun = () -> {};

  private volatile long duration = 1;
  private volatile @Nullable RuntimeException failure;

  public void setDuration(long nanoseconds) {
    duration = nanoseconds;
  }

  public void setFailure(@Nullable RuntimeException thrown) {
    failure = thrown;
  }

  @Override
  public void prepare() {}

  @Override
  public String run() {
    Runnable once = whenRun;
    whenRun = () -> {};
    once.run();
    trims.incrementAndGet();
    nanos.addAndGet(duration);
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    return "";
  }
}
