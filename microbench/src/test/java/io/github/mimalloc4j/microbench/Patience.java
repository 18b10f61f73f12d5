package io.github.mimalloc4j.microbench;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits long enough for a machine that is busy with other work. */
public final class Patience {
  private Patience() {}

  /** As {@link Awaitility#await()}, but for up to a minute. */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1));
  }
}
