package io.github.mimalloc4j.microbench.command;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Measures all subjects, round by round and in {@link Turns}, and shows the progress. */
public final class Rounds {
  /** Measures one subject once. */
  @FunctionalInterface
  public interface Run {
    /**
     * Measures.
     *
     * @param round its number, from 0
     * @param begun is told the name of each part that begins
     */
    void measure(String subject, int round, Consumer<String> begun)
        throws IOException, InterruptedException;
  }

  /** Is called at the end of each round: a long run may be interrupted. */
  @FunctionalInterface
  public interface AfterRound {
    void ended() throws IOException;
  }

  private final int rounds;
  private final Progress progress;
  private final LongSupplier nanoClock;

  /** Creates rounds that show their progress on standard error. */
  public Rounds(int rounds) {
    this(rounds, Progress.onStandardError(), System::nanoTime);
  }

  Rounds(int rounds, Progress progress, LongSupplier nanoClock) {
    this.rounds = rounds;
    this.progress = progress;
    this.nanoClock = nanoClock;
  }

  /**
   * Measures.
   *
   * @param expected the expected time of one measurement; after the first one, the mean is expected
   */
  public void measure(List<String> subjects, Duration expected, Run run, AfterRound afterRound)
      throws IOException, InterruptedException {
    try {
      measureAll(subjects, expected, run, afterRound);
    } finally {
      progress.done();
    }
  }

  private void measureAll(List<String> subjects, Duration expected, Run run, AfterRound afterRound)
      throws IOException, InterruptedException {
    int runs = rounds * subjects.size();
    int done = 0;
    long start = nanoClock.getAsLong();
    long nanosEach = expected.toNanos();
    for (int round = 0; round < rounds; round++) {
      String title = rounds == 1 ? "" : "round %d of %d, ".formatted(round + 1, rounds);
      for (String subject : Turns.of(subjects, round)) {
        long end = start + nanosEach * runs;
        show(title + subject, end);
        run.measure(subject, round, part -> show(title + subject + ": " + part, end));
        nanosEach = (nanoClock.getAsLong() - start) / ++done;
      }
      afterRound.ended();
    }
  }

  private void show(String what, long end) {
    progress.show(what, Duration.ofNanos(Math.max(0, end - nanoClock.getAsLong())));
  }
}
