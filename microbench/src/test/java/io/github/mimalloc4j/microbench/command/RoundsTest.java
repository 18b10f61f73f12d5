package io.github.mimalloc4j.microbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final Progress progress =
      new Progress(new PrintStream(shown, true, StandardCharsets.UTF_8), false);
  private final List<String> measured = new ArrayList<>();
  private long clock = -5;

  private Rounds rounds(int rounds) {
    return new Rounds(rounds, progress, () -> clock);
  }

  private List<String> measure(int rounds, Duration expected) throws Exception {
    rounds(rounds)
        .measure(
            List.of("A", "B"),
            expected,
            (subject, round, begun) -> {
              measured.add(subject + round);
              clock += Duration.ofSeconds(1).toNanos();
              begun.accept("working");
              clock += Duration.ofSeconds(2).toNanos();
            },
            () -> measured.add("end"));
    return shown.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void roundsChangeTheOrderAndTellTheTimeLeft() throws Exception {
    List<String> lines = measure(2, Duration.ofSeconds(5));

    assertThat(measured).containsExactly("A0", "B0", "end", "B1", "A1", "end");
    assertThat(lines)
        .containsExactly(
            "round 1 of 2, A, about 20 s left",
            "round 1 of 2, A: working, about 19 s left",
            "round 1 of 2, B, about 9 s left",
            "round 1 of 2, B: working, about 8 s left",
            "round 2 of 2, B, about 6 s left",
            "round 2 of 2, B: working, about 5 s left",
            "round 2 of 2, A, about 3 s left",
            "round 2 of 2, A: working, about 2 s left");
  }

  @Test
  void oneRoundIsNotCounted() throws Exception {
    assertThat(measure(1, Duration.ZERO))
        .containsExactly(
            "A, about 0 s left",
            "A: working, about 0 s left",
            "B, about 3 s left",
            "B: working, about 2 s left");
  }

  @Test
  void roundsBeforeAFailureAreTold() {
    Rounds rounds = rounds(2);

    assertThatThrownBy(
            () ->
                rounds.measure(
                    List.of("A"),
                    Duration.ZERO,
                    (subject, round, begun) -> {
                      if (round == 1) {
                        throw new IOException("planted");
                      }
                    },
                    () -> measured.add("end")))
        .hasMessage("planted");
    assertThat(measured).containsExactly("end");
  }
}
