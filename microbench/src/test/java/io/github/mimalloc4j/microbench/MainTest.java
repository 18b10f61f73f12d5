package io.github.mimalloc4j.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http-server | --allocator is missing",
        "http-server --allocator | --allocator needs a value",
        "http-server --allocator --port 1 | --allocator needs a value",
        "http-server --allocator= --port 1 | --allocator needs a value",
        "http-server --allocator jemalloc --port 1 | --allocator must be one of mimalloc, adaptive",
        "http-server --allocator pooled | --port is missing",
        "http-server --allocator pooled --port x | --port must be a whole number from 0 to 65535",
        "http-server --allocator pooled --port 65536 | --port must be a whole number from 0 to",
        "http-server --allocator pooled --port -1 | --port must be a whole number from 0 to 65535",
        "http-server --allocator pooled --port 1 --port 2 | --port is given twice",
        "http-server --allocator pooled --port 1 --tls=yes | --tls takes no value",
        "http-server --allocator pooled --port 1 --fast | unknown option --fast",
        "http-server --allocator pooled --port 1 now | unexpected argument now",
        "compare --rounds | --rounds needs a value",
        "compare --rounds 0 | --rounds must be a whole number from 1 to 100, not '0'",
        "compare --rounds many | --rounds must be a whole number from 1 to 100, not 'many'",
        "compare --quick | unknown option --quick",
        "footprint --allocator jemalloc | --allocator must be all, or some of mimalloc, adaptive,",
        "footprint --allocator pooled, | --allocator must be all, or some of mimalloc, adaptive,",
        "footprint --allocator pooled,all | --allocator must be all, or some of mimalloc, adaptive,",
        "footprint --allocator pooled,POOLED | --allocator names POOLED twice",
        "footprint --burst 0 | --burst must be a whole number from 1 to 4096, not '0'",
        "footprint --burst 1g | --burst must be a whole number from 1 to 4096, not '1g'",
        "footprint --seconds 0.05 | --seconds must be a number from 0.1 to 3600, not '0.05'",
        "footprint --seconds NaN | --seconds must be a number from 0.1 to 3600, not 'NaN'",
        "footprint --seconds ten | --seconds must be a number from 0.1 to 3600, not 'ten'",
        "footprint --threads 0 | --threads must be a whole number from 1 to 100000, not '0'",
        "footprint --output | --output needs a value",
        "footprint --output no/such/folder/page.html | --output no/such/folder/page.html cannot be",
        "footprint --json no/such/folder/a.json | --json no/such/folder/a.json cannot be written",
        "footprint --scale 2 | unknown option --scale",
        "latency --operations 999 | --operations must be a whole number from 1000 to 2000000000",
        "latency --allocator jemalloc | --allocator must be all, or some of mimalloc, adaptive,",
        "latency --rounds 0 | --rounds must be a whole number from 1 to 100, not '0'",
        "latency --output no/such/folder/a.json | --output no/such/folder/a.json cannot be written",
        "latency now | unexpected argument now",
        "soak --kind native | --kind must be one of direct, heap, both, not 'native'",
        "soak --allocator jemalloc | --allocator must be one of mimalloc, adaptive, pooled, unpooled",
        "soak --minutes 0 | --minutes must be a number from 0.01 to 100000, not '0'",
        "soak --operations 0 | --operations must be a whole number from 1 to 9223372036854775807",
        "soak --seed x | --seed must be a whole number from -9223372036854775808 to 9223372036854",
        "soak --threads 0 | --threads must be a whole number from 1 to 256, not '0'",
        "soak --live-mib 0 | --live-mib must be a whole number from 1 to 1048576, not '0'",
        "report --output a.html | no files of results are given",
        "report no-such-file.json | no-such-file.json does not exist",
        "report --fast a.json | unknown option --fast",
        "end-to-end --rounds 0 | --rounds must be a whole number from 1 to 1000, not '0'",
        "help me | unexpected argument me",
      })
  void senselessCommandLinesAreExplainedInOneLine(String commandLine, String message) {
    assertThat(run(commandLine)).isEqualTo(2);

    String name =
        commandLine.substring(
            0, commandLine.indexOf(' ') < 0 ? commandLine.length() : commandLine.indexOf(' '));
    assertThat(lines(err)).hasSize(1).first().asString().startsWith(name + ": " + message);
    assertThat(lines(out)).isEmpty();
  }

  @Test
  void helpListsTheCommands() {
    assertThat(run("help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("compare", "http-server", "footprint", "latency", "soak", "report", "JMH");
    assertThat(Main.find("--help")).isSameAs(Main.find("help"));
  }

  @Test
  void eachCommandExplainsItself() {
    assertThat(run("http-server --help")).isZero();
    assertThat(lines(out)).first().asString().startsWith("usage: http-server --allocator");
  }

  @Test
  void anythingElseIsForJmh() {
    assertThat(Main.find("AllocationPatternBenchmark")).isNull();
    assertThat(Main.find("-l")).isNull();
  }

  @Test
  void portInUseIsSaidInOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThat(run("http-server --allocator pooled --port " + port)).isEqualTo(1);
      assertThat(lines(err))
          .hasSize(1)
          .first()
          .asString()
          .startsWith("http-server: cannot listen on 127.0.0.1:" + port);
    }
  }

  private int run(String commandLine) {
    String[] words = commandLine.split(" ");
    return Main.run(
        Main.find(words[0]),
        Arrays.asList(words).subList(1, words.length),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private static List<String> lines(ByteArrayOutputStream text) {
    return text.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
