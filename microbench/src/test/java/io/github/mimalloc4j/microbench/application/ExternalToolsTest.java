package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored outputs of wrk 4.1.0, redis-benchmark 7.0.15, and h2load over HTTP/1.1. */
class ExternalToolsTest {
  private static final ExternalTool WRK = new Wrk("http", "/plaintext", new int[] {-1, 1024});
  private static final ExternalTool H2LOAD = new Http2Load("https", List.of("/", "/large"));
  private static final ExternalTool LRANGE = RedisBenchmark.command("LRANGE", "mylist", "0", "599");
  private static final ExternalTool SET_GET = RedisBenchmark.tests(32, "set", "get");

  @TempDir private Path folder;

  @Test
  void figuresOfWrkAreRead() throws Exception {
    assertThat(WRK.read(stored("wrk.txt"), load()))
        .isEqualTo(new LoadResult(737, 2.069513, 0, null, null));
  }

  @Test
  void errorsOfWrkAreCounted() throws Exception {
    LoadResult outcome = WRK.read(stored("wrk-errors.txt").replace("-read 0", "-read 2"), load());

    assertThat(outcome.errors()).isEqualTo(872);
    assertThat(outcome.firstError()).isEqualTo("wrk: 2 of kind read, 870 of kind status");
  }

  @Test
  void wrkPipelinesTheSizesByAScript() throws Exception {
    List<String> command = WRK.command(load());

    assertThat(command).startsWith("wrk").contains("-c8", "-d3s").endsWith("http://127.0.0.1:1234");
    assertThat(Files.readString(Path.of(command.get(command.indexOf("-s") + 1))))
        .contains("local sizes = {-1,1024}\n", "local pipelined = 16\n")
        .contains("wrk.format(\"GET\", \"/plaintext\")");
  }

  @Test
  void redisBenchmarkSendsAsManyRequestsAsTheTimeTakes() throws Exception {
    assertThat(LRANGE.command(load()))
        .containsExactly(
            ("redis-benchmark -h 127.0.0.1 -p 1234 -c 8 -P 16 -n 2000 --csv LRANGE mylist 0 599")
                .split(" "));
    assertThat(SET_GET.command(load()))
        .containsExactly(
            ("redis-benchmark -h 127.0.0.1 -p 1234 -c 8 -P 16 -n 1000 --csv -d 32 -t set,get")
                .split(" "));
  }

  @Test
  void figuresOfRedisBenchmarkAreRead() throws Exception {
    LoadResult range = LRANGE.read(stored("redis-benchmark-lrange.txt"), load());
    assertThat(range.requests()).isEqualTo(2000);
    assertThat(range.seconds()).isCloseTo(2000 / 445.93, within(1e-9));
    assertThat(range.errors()).isZero();

    LoadResult both = SET_GET.read(stored("redis-benchmark-set-get.txt"), load());
    assertThat(both.requests()).isEqualTo(2000);
    assertThat(both.seconds()).isCloseTo(1000 / 16528.93 + 1000 / 12820.51, within(1e-9));
  }

  @Test
  void errorOfRedisBenchmarkIsShown() {
    assertThatThrownBy(() -> LRANGE.read(stored("redis-benchmark-error.txt"), load()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ERR unknown command");
  }

  @ParameterizedTest
  @CsvSource({"32, 1, 1", "32, 8, 8", "32, 12, 8", "100, 64, 50", "7, 4, 1", "3, 3, 3"})
  void eachThreadOfWrkHasEquallyManyConnections(int connections, int most, int threads) {
    assertThat(Wrk.threads(connections, most)).isEqualTo(threads);
  }

  @Test
  void h2loadHasManyStreamsAndTakesPathsByTurns() throws Exception {
    assertThat(H2LOAD.command(load()))
        .containsExactly(
            ("h2load -t %d -c 8 -m 16 -D 3"
                    + " https://127.0.0.1:1234/ https://127.0.0.1:1234/large")
                .formatted(ExternalTool.threads(8))
                .split(" "));
  }

  @Test
  void figuresOfH2loadAreRead() throws Exception {
    assertThat(H2LOAD.read(stored("h2load.txt"), load()))
        .isEqualTo(new LoadResult(3903, 1, 0, null, null));
  }

  @Test
  void errorsOfH2loadAreCounted() throws Exception {
    LoadResult outcome = H2LOAD.read(stored("h2load-errors.txt"), load());

    assertThat(outcome.errors()).isEqualTo(5121);
    assertThat(outcome.firstError())
        .isEqualTo(
            "h2load: requests: 5121 total, 5125 started, 5121 done, 0 succeeded, 5121 failed,"
                + " 0 errored, 0 timeout");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unable to connect", "requests: many"})
  void otherOutputIsAnErrorThatShowsIt(String output) {
    for (ExternalTool tool : List.of(WRK, H2LOAD, LRANGE, SET_GET)) {
      assertThatThrownBy(() -> tool.read(output, load()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(output);
    }
  }

  private ExternalTool.Load load() {
    return new ExternalTool.Load(1234, 8, 16, 3, 2000, folder);
  }

  private static String stored(String name) throws IOException {
    try (InputStream in = ExternalToolsTest.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
