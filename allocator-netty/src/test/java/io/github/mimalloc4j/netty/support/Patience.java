package io.github.mimalloc4j.netty.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits long enough for a machine that is busy with other work. */
public final class Patience {

  private Patience() {}

  /** As {@link Awaitility#await()}, but for up to a minute. */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1));
  }

  /** Has garbage collected until none of what they refer to is left. */
  public static void awaitCleared(List<? extends WeakReference<?>> references) {
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(references).allMatch(reference -> reference.get() == null);
            });
  }
}
