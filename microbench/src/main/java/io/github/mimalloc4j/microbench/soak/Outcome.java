package io.github.mimalloc4j.microbench.soak;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a soak came to.
 *
 * @param failure what ended it; null if everything was as it must be
 * @param tally what was done
 * @param time how long threads were at work
 * @param lives how many threads began and ended
 * @param pauses how often everything was looked at
 * @param mostLiveBuffers seen at a pause
 * @param mostLiveBytes seen at a pause
 * @param notes on the end, and what could not be checked
 */
record Outcome(
    @Nullable Failure failure,
    Tally tally,
    Duration time,
    int lives,
    int pauses,
    int mostLiveBuffers,
    long mostLiveBytes,
    List<String> notes) {

  /**
   * What ended a soak.
   *
   * @param where what was being done
   * @param thread the name of the thread
   * @param cause what was thrown
   */
  record Failure(String where, String thread, Throwable cause) {}
}
