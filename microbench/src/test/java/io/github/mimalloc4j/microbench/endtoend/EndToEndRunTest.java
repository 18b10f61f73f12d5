package io.github.mimalloc4j.microbench.endtoend;

import static io.github.mimalloc4j.microbench.Patience.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.application.LoadResult;
import io.github.mimalloc4j.microbench.application.Transport;
import io.github.mimalloc4j.microbench.application.Workload;
import io.github.mimalloc4j.microbench.application.Workloads;
import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Measured;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.endtoend.ServerStatistics.Memory;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class EndToEndRunTest {
  private static final Workload PLAINTEXT = Workloads.named("plaintext:single").get(0);

  @TempDir private Path folder;

  @Test
  void peakIsOfEachKindOfMemory() {
    Memory memory = new Memory(7L, 100L);

    assertThat(memory.max(new Memory(9L, 90L))).isEqualTo(new Memory(9L, 100L));
    assertThat(memory.max(new Memory(6L, null))).isEqualTo(memory);
    assertThat(new Memory(6L, null).max(memory)).isEqualTo(memory);
  }

  @Test
  void compilersRestBelowOneTwentieth() {
    ServerStatistics start = cpuTimes(1_000L, 500L);

    assertThat(cpuTimes(2_000L, 549L).compilersRestedSince(start)).isTrue();
    assertThat(cpuTimes(2_000L, 550L).compilersRestedSince(start)).isFalse();
    assertThat(start.compilersRestedSince(start)).as("nothing happened").isFalse();
    assertThat(cpuTimes(2_000L, null).compilersRestedSince(start)).isFalse();
    assertThat(cpuTimes(null, 549L).compilersRestedSince(start)).isFalse();
    assertThat(cpuTimes(2_000L, 549L).compilersRestedSince(cpuTimes(1_000L, null))).isFalse();
    assertThat(cpuTimes(2_000L, 549L).compilersRestedSince(cpuTimes(null, 500L))).isFalse();
  }

  private static ServerStatistics cpuTimes(@Nullable Long process, @Nullable Long compilers) {
    return new ServerStatistics(0L, 0L, null, null, 0, null, process, compilers, 0);
  }

  /** Of which wrk, for example, does not tell. */
  @Test
  void aServerThatFailedIsAnError() throws Exception {
    LoadResult found = new LoadResult(10, 1, 0, null, null);
    try (ServerProcess server =
        ServerProcess.start(
            PLAINTEXT, FailingAllocator.class.getName(), Transport.NIO, 1, List.of())) {
      assertThat(Measurement.measured(server, () -> found).result()).isEqualTo(found);
      Measured told =
          Measurement.measured(
                  server,
                  () -> {
                    try (Socket client =
                        new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                      client.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
                      assertThat(client.getInputStream().read())
                          .as("closed without an answer")
                          .isEqualTo(-1);
                    }
                    return found;
                  })
              .measured();
      assertThat(told.errors()).isOne();
      assertThat(told.firstError()).contains("an exception of its own");
    }
  }

  @Test
  void wholeCommandMeasuresFreshServersWithoutErrors() throws Exception {
    Path output = folder.resolve("out.json");
    String words =
        "--app resp:get-set --allocator mimalloc,io.netty.buffer.PooledByteBufAllocator --load own"
            + " --jvms 2 --seconds 1 --warmup 1 --connections 3 --output "
            + output;

    CommandRun run = CommandRun.of(new EndToEndCommand(), words.split(" "));

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("| resp:get-set ", "-XX:+UseG1GC", "Netty: ", output.toString())
        .doesNotContain("leakDetection");
    EndToEndResults results = read(output);
    String pooled = "io.netty.buffer.PooledByteBufAllocator";
    assertThat(results.rounds().stream().map(Round::allocator))
        .containsExactly("MIMALLOC", pooled, pooled, "MIMALLOC");
    assertThat(results.rounds()).allSatisfy(EndToEndRunTest::requireFigures);
    for (int round = 0; round < 2; round++) {
      Round one = results.rounds().get(2 * round);
      Round other = results.rounds().get(2 * round + 1);
      assertThat(one.rate())
          .as("half of what the slower one sustained")
          .isEqualTo(other.rate())
          .isEqualTo(Math.min(one.closed().rate(), other.closed().rate()) / 2);
    }
  }

  @Test
  void anApplicationThatFailsDoesNotCostTheResultsOfOthers() throws Exception {
    Path output = folder.resolve("out.json");
    String words =
        "--app plaintext:single,resp:get-set --load own --jvms 1 --seconds 1 --warmup 1 --output "
            + output
            + " --allocator "
            + PickyAllocator.class.getName();

    CommandRun run = CommandRun.of(new EndToEndCommand(), words.split(" "));

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("end-to-end: plaintext:single, round 1 of 1: the JVM for ")
        .contains("planted");
    assertThat(run.out()).contains("0 of 1 JVMs", "| resp:get-set ");
    assertThat(read(output).rounds()).extracting(Round::workload).contains("resp:get-set");
  }

  private static EndToEndResults read(Path output) throws IOException {
    return EndToEndResults.FORMAT.read(JsonParser.parseString(Files.readString(output)));
  }

  private static void requireFigures(Round round) {
    assertThat(round.errors()).isZero();
    assertThat(round.closed().requests()).isPositive();
    assertThat(round.closed().peak().used()).isPositive();
    if (ResidentMemory.bytes().isPresent()) {
      assertThat(round.closed().peak().resident())
          .as("beside the Java heap, which is larger")
          .isBetween(1L, 1L << 30);
    }
    assertThat(round.closed().garbageOfRequest()).isGreaterThan(100);
    assertThat(round.closed().cpuOfRequest()).isPositive();
    assertThat(round.fixed().requests())
        .as("16 at a time for a second")
        .isCloseTo((long) round.rate(), within(17L));
    LoadResult.Latency latency = round.timing().latency();
    assertThat(List.of(latency.p50(), latency.p99(), latency.p9999(), latency.max())).isSorted();
  }

  /** Netty reports it when the collector has run, which with so small a heap is soon. */
  @Test
  void leakFailsTheRun() throws Exception {
    List<String> flags = List.of("-Xmx32m", "-Dio.netty.leakDetection.level=paranoid");
    String allocator = LeakingAllocator.class.getName();
    try (ServerProcess server =
        ServerProcess.start(PLAINTEXT, allocator, Transport.NIO, 1, flags)) {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThatThrownBy(
                          () ->
                              Measurement.measured(
                                  server, () -> load(server, Duration.ofMillis(200))))
                      .isInstanceOf(IOException.class)
                      .hasMessageContaining("the server with " + allocator + " leaked")
                      .hasMessageContaining("LEAK: ByteBuf.release() was not called"));
    }
  }

  private static LoadResult load(ServerProcess server, Duration time)
      throws IOException, InterruptedException {
    try (Connections connections = Connections.open(PLAINTEXT.client(), server.port(), 2)) {
      return ClosedLoop.run(connections.clients(), 1, time);
    }
  }

  @Test
  void failureOfAServerIsToldInItsOwnWords() {
    assertThatThrownBy(() -> start(List.of("-XX:+NoSuchFlag")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the JVM for POOLED did not start listening")
        .hasMessageContaining("NoSuchFlag");
  }

  @Test
  void endOfAServerIsNoticed() throws Exception {
    try (ServerProcess server = start(ServerProcess.defaultFlags())) {
      server.requireHealthy();
      ServerStatistics statistics = server.statistics();
      assertThat(statistics.usedDirect()).isNotNegative();
      assertThat(statistics.cpuNanos()).isPositive();
      if (ResidentMemory.bytes().isPresent()) { // as a sign of Linux
        assertThat(statistics.compilerNanos()).isBetween(1L, statistics.cpuNanos());
      }
      assertThat(statistics.garbage()).isPositive();

      server.close();
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(server::requireHealthy)
                      .isInstanceOf(IOException.class)
                      .hasMessageContaining("the server with POOLED ended unexpectedly"));
      assertThatThrownBy(server::statistics)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the server with POOLED ended unexpectedly");
    }
  }

  @Test
  void aConnectionThatIsLostAfterItsLastAnswerIsAnError() throws Exception {
    try (ServerProcess server = start(ServerProcess.defaultFlags());
        Connections connections = Connections.open(PLAINTEXT.client(), server.port(), 2)) {
      LoadResult result = ClosedLoop.run(connections.clients(), 1, Duration.ofMillis(200));
      assertThat(connections.checked(result)).isSameAs(result);
      assertThat(result.errors()).isZero();

      server.close();
      await().until(() -> connections.checked(result).errors() == 1);
      assertThat(connections.checked(result).firstError()).isNotNull();
    }
  }

  /** A server whose allocator could not be made Netty's default shows what takes the default. */
  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.microbench.application.ApplicationsTest#workloads")
  void channelsUseTheirAllocator(Workload workload) throws Exception {
    String allocator = MiMallocByteBufAllocator.class.getName();
    try (ServerProcess server = start(workload, allocator, ServerProcess.defaultFlags());
        Connections connections = Connections.open(workload.client(), server.port(), 2)) {
      Duration time = Duration.ofMillis(500);
      LoadResult result = ClosedLoop.run(connections.clients(), workload.pipelined(), time);

      assertThat(result.requests()).isPositive();
      assertThat(result.errors()).isZero();
      // Netty compresses WebSocket frames in a channel of its own.
      assertThat(server.statistics().usedByDefault() > 0)
          .isEqualTo(workload.name().equals("websocket:compressed"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void allocatorIsNettysDefault(AllocatorKind kind) throws Exception {
    try (ServerProcess server = start(PLAINTEXT, kind.name(), ServerProcess.defaultFlags())) {
      assertThat(server.statistics().usedByDefault()).as("of another one").isNull();
    }
  }

  @Test
  void anotherDefaultOfNettyIsRefused() {
    assertThatThrownBy(() -> DefaultAllocator.of(AllocatorKind.UNPOOLED))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Netty's default allocator should be UNPOOLED, but is ");
  }

  private static ServerProcess start(List<String> flags) throws Exception {
    return start(PLAINTEXT, "POOLED", flags);
  }

  private static ServerProcess start(Workload workload, String allocator, List<String> flags)
      throws Exception {
    return ServerProcess.start(workload, allocator, Transport.NIO, 1, flags);
  }
}
