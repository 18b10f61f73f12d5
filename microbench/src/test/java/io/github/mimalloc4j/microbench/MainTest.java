package io.github.mimalloc4j.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.command.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application-server | Missing required options: '--app=<workload>', '--allocator=<allocator>'",
        "application-server --app | Missing required parameter for option '--app'",
        "application-server --app --allocator pooled | Expected parameter for option '--app' but found",
        "application-server --app http:mix --allocator pooled --event-loops 1025 | --event-loops must be a whole number from 1 to 1024, not '1025'",
        "application-server --app http:mix --allocator pooled --event-loops -1 | --event-loops must be a whole number from 1 to 1024, not '-1'",
        "application-server --app http:mix --allocator pooled --event-loops 1 --event-loops 2 | option '--event-loops' (<eventLoops>) should be specified only",
        "compare --floor=yes | Invalid value for option '--floor'",
        "footprint --sizes= | --sizes needs a value",
        "soak --allocator= | Invalid value for option '--allocator': expected one of",
        "compare --rounds | Missing required parameter for option '--rounds'",
        "compare --rounds 0 | --rounds must be a whole number from 1 to 100, not '0'",
        "compare --rounds many | --rounds must be a whole number from 1 to 100, not 'many'",
        "compare --quick | Unknown option: '--quick'",
        "footprint --allocator jemalloc | Invalid value for option '--allocator': allocator jemalloc is none of [MIMALLOC, ADAPTIVE,",
        "footprint --allocator pooled, | Invalid value for option '--allocator': allocator  is none of [MIMALLOC, ADAPTIVE,",
        "footprint --allocator pooled,all | Invalid value for option '--allocator': allocator all is none of [MIMALLOC, ADAPTIVE,",
        "footprint --allocator pooled,POOLED | Invalid value for option '--allocator': POOLED is named twice",
        "footprint --burst 0 | --burst must be a whole number from 1 to 4096, not '0'",
        "footprint --burst 1g | --burst must be a whole number from 1 to 4096, not '1g'",
        "footprint --seconds 0.05 | --seconds must be a number from 0.1 to 3600, not '0.05'",
        "footprint --seconds NaN | --seconds must be a number from 0.1 to 3600, not 'NaN'",
        "footprint --seconds ten | --seconds must be a number from 0.1 to 3600, not 'ten'",
        "footprint --threads 0 | --threads must be a whole number from 1 to 100000, not '0'",
        "footprint --output | Missing required parameter for option '--output'",
        "footprint --output no/such/folder/page.html | Invalid value for option '--output': 'no/such/folder/page.html'",
        "footprint --json no/such/folder/a.json | Invalid value for option '--json': 'no/such/folder/a.json'",
        "footprint --scale 2 | Unknown options: '--scale'",
        "latency --operations 999 | --operations must be a whole number from 1000 to 2000000000",
        "latency --allocator jemalloc | Invalid value for option '--allocator': allocator jemalloc is none of [MIMALLOC, ADAPTIVE,",
        "latency --rounds 0 | --rounds must be a whole number from 1 to 100, not '0'",
        "latency --output no/such/folder/a.json | Invalid value for option '--output': 'no/such/folder/a.json'",
        "latency now | Unmatched argument at index",
        "soak --kind native | Invalid value for option '--kind': expected one of [DIRECT, HEAP, BOTH]",
        "soak --allocator jemalloc | Invalid value for option '--allocator': expected one of [MIMALLOC,",
        "soak --minutes 0 | --minutes must be a number from 0.01 to 100000, not '0'",
        "soak --operations 0 | --operations must be a whole number from 1 to 9223372036854775807",
        "soak --seed x | Invalid value for option '--seed': 'x' is not a long",
        "soak --threads 0 | --threads must be a whole number from 1 to 256, not '0'",
        "soak --live-mib 0 | --live-mib must be a whole number from 1 to 1048576, not '0'",
        "record --output no/such/folder/a.jfc | Invalid value for option '--output': 'no/such/folder/a.jfc'",
        "replay --output a.html | Missing required parameter: 'FILE'",
        "replay a.jfr b.jfr | Unmatched argument at index 2: 'b.jfr'",
        "replay a.jfr --allocator jemalloc | Invalid value for option '--allocator': allocator jemalloc is none of [MIMALLOC, ADAPTIVE,",
        "replay a.jfr --jvms 0 | --jvms must be a whole number from 1 to 100, not '0'",
        "replay a.jfr --trace no/such/folder/a.trace | Invalid value for option '--trace': 'no/such/folder/a.trace'",
        "report --output a.html | no result files given",
        "report no-such-file.json | no-such-file.json does not exist",
        "report --fast a.json | Unknown option: '--fast'",
        "end-to-end --jvms 0 | --jvms must be a whole number from 1 to 1000, not '0'",
        "end-to-end --rounds 1 | Unknown options: '--rounds', '1'",
        "application-server --app resp:lrange | Missing required option: '--allocator=",
        "application-server --app resp --allocator pooled | Invalid value for option '--app': expected one of [resp:lrange,",
      })
  void senselessCommandLinesAreExplainedInOneLine(String commandLine, String message) {
    CommandRun run = run(commandLine);

    assertThat(run.code()).isEqualTo(2);
    String name = commandLine.replaceFirst(" .*", "");
    assertThat(run.errors()).hasSize(1).first().asString().startsWith(name + ": " + message);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void helpListsTheCommands() {
    assertThat(run("help").code()).isZero();
    assertThat(run("help").out())
        .contains(
            "compare",
            "footprint",
            "end-to-end",
            "application-server",
            "latency",
            "soak",
            "record",
            "replay",
            "report")
        .contains("JMH")
        .isEqualTo(run("--help").out());
    assertThat(run("help me").code()).isEqualTo(2);
    assertThat(run("help me").errors()).singleElement().asString().contains("'me'");
  }

  @Test
  void eachCommandExplainsItself() {
    for (String name : Main.commandLine().getSubcommands().keySet()) {
      assertThat(run(name + " --help").code()).isZero();
      assertThat(run(name + " --help").out()).containsIgnoringCase("usage: microbench " + name);
    }
    assertThat(run("soak --help").out()).contains("--allocator", "POOLED");
  }

  @Test
  void anythingElseIsForJmh() {
    assertThat(isOurs("compare", "--rounds", "1")).isTrue();
    assertThat(isOurs("--help")).isTrue();
    assertThat(isOurs()).isTrue();
    assertThat(isOurs("AllocationPatternBenchmark")).isFalse();
    assertThat(isOurs("-l")).isFalse();
    assertThat(isOurs("-h")).isFalse();
  }

  private static boolean isOurs(String... args) {
    return Main.isOurs(Main.commandLine(), args);
  }

  private static CommandRun run(String commandLine) {
    return CommandRun.of(Main.commandLine(), commandLine.split(" "));
  }
}
