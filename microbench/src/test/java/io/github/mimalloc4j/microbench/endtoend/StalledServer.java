package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.Client;
import io.github.mimalloc4j.microbench.application.Completion;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client and a server in one, without a network between. It answers at once, but stalls once:
 * what is asked meanwhile is answered when the stall is over.
 */
final class StalledServer implements Client {
  private final EventExecutor executor;
  private final long stallAfter;
  private final long stallMillis;
  private final @Nullable String answer;
  private final Queue<Completion> waiting = new ArrayDeque<>();
  private boolean stalled;
  private long sent;
  private int together;
  private int mostTogether;
  private int stalledRequests;

  /**
   * Makes one.
   *
   * @param stallAfter how many requests are answered before
   * @param stallMillis 0 for never
   * @param answer the error of each answer; null for correct ones
   */
  StalledServer(
      EventExecutor executor, long stallAfter, long stallMillis, @Nullable String answer) {
    this.executor = executor;
    this.stallAfter = stallAfter;
    this.stallMillis = stallMillis;
    this.answer = answer;
  }

  @Override
  public EventExecutor executor() {
    return executor;
  }

  @Override
  public void send(Completion completion) {
    waiting.add(completion);
    together++;
    mostTogether = Math.max(mostTogether, together);
    if (sent++ == stallAfter && stallMillis > 0) {
      stalled = true;
      executor.schedule(
          () -> {
            stalled = false;
            answerAll();
          },
          stallMillis,
          TimeUnit.MILLISECONDS);
    }
    stalledRequests += stalled ? 1 : 0;
  }

  @Override
  public void flush() {
    together = 0;
    executor.execute(this::answerAll);
  }

  private void answerAll() {
    while (!stalled && !waiting.isEmpty()) {
      waiting.remove().completed(answer);
    }
  }

  @Override
  public @Nullable String lost() {
    return null;
  }

  @Override
  public void close() {}

  /** The requests that met the stall. */
  int stalledRequests() {
    return stalledRequests;
  }

  /** The most requests that were sent without a flush. */
  int mostTogether() {
    return mostTogether;
  }
}
