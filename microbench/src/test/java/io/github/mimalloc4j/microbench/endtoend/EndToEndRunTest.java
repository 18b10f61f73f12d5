package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Memory;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EndToEndRunTest {
  @TempDir private Path folder;

  @Test
  void eachGoesFirstInItsTurn() {
    assertThat(EndToEndCommand.rotated(List.of(1, 2, 3), 0)).containsExactly(1, 2, 3);
    assertThat(EndToEndCommand.rotated(List.of(1, 2, 3), 1)).containsExactly(2, 3, 1);
    assertThat(EndToEndCommand.rotated(List.of(1, 2, 3), 5)).containsExactly(3, 1, 2);
    assertThat(EndToEndCommand.rotated(List.of(1, 2, 3), -1)).containsExactly(3, 1, 2);
  }

  @Test
  void memoryIsReadFromTheStats() {
    Memory memory =
        Memory.parse(
            "{\"allocator\":\"x\",\"direct\":{\"used\":5,\"pinned\":null},"
                + "\"heap\":{\"used\":2,\"pinned\":1},\"rss\":100}");

    assertThat(memory).isEqualTo(new Memory(7, 100L));
    assertThat(memory.max(new Memory(9, 90L))).isEqualTo(new Memory(9, 100L));
    assertThat(memory.max(new Memory(6, null))).isEqualTo(memory);
    assertThat(new Memory(6, null).max(memory)).isEqualTo(memory);
  }

  @Test
  void wholeCommandLoadsAServerWithoutErrors() throws Exception {
    Path output = folder.resolve("out.json");
    String words =
        "--allocator mimalloc --load own --seconds 1 --rounds 1 --warmup 1 --connections 4 --output"
            + " "
            + output;

    CommandRun run = CommandRun.of(new EndToEndCommand(), words.split(" "));

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("| requests/s ", "-XX:+UseG1GC", "Netty: ", output.toString())
        .doesNotContain("leakDetection");
    Round round =
        EndToEndResults.FORMAT
            .read(JsonParser.parseString(Files.readString(output)))
            .rounds()
            .get(0);
    assertThat(round.load().requests()).isPositive();
    assertThat(round.load().errors()).isZero();
    assertThat(round.peak().used()).isPositive();
  }

  @Test
  void failureOfAServerIsToldInItsOwnWords() {
    assertThatThrownBy(
            () -> ServerProcess.start(AllocatorKind.POOLED, false, List.of("-XX:+NoSuchFlag")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the JVM for pooled did not start to listen")
        .hasMessageContaining("NoSuchFlag");
  }

  @Test
  void endOfAServerIsNoticed() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(AllocatorKind.POOLED, false, ServerProcess.defaultFlags())) {
      server.requireHealthy();
      assertThat(server.memory().used()).isNotNegative();

      server.close();
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(server::requireHealthy)
                      .isInstanceOf(IOException.class)
                      .hasMessageContaining("the server with pooled ended by itself"));
    }
  }
}
