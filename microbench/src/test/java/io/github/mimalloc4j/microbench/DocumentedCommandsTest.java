package io.github.mimalloc4j.microbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.application.Workloads;
import io.github.mimalloc4j.microbench.command.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The commands for the benchmark jar that the documents show name commands, options, benchmarks and
 * parameters that there are.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern COMMAND =
      Pattern.compile(
          "java -jar microbench/target/microbench\\.jar((?: (?:'[^'\n]*'|[^`\n|'])*)?)");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  /** Stands for the name of any benchmark. */
  private static final String ANY = "BENCHMARK";

  static List<String> documented() throws IOException {
    List<String> commands = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      List<Path> pages =
          new ArrayList<>(files.filter(file -> file.toString().endsWith(".md")).toList());
      pages.add(ROOT.resolve("README.md"));
      pages.add(ROOT.resolve("CONTRIBUTING.md"));
      for (Path page : pages) {
        String text = Files.readString(page).replaceAll("\\\\\n\\s*", "");
        Matcher matcher = COMMAND.matcher(text);
        while (matcher.find()) {
          commands.add(matcher.group(1).strip());
        }
      }
    }
    return commands.stream().distinct().toList();
  }

  @Test
  void theDocumentsShowCommands() throws IOException {
    assertThat(documented()).hasSizeGreaterThan(10).contains("compare", "end-to-end");
  }

  @ParameterizedTest(name = "microbench.jar {0}")
  @MethodSource("documented")
  void isUnderstood(String command) throws Exception {
    check(command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "soak --hours 2",
        "soak --minutes 0",
        "NoSuchBenchmark",
        "AllocationPatternBenchmark -p lives=128",
        "AllocationPatternBenchmark --threads"
      })
  void whatDoesNotExistIsFound(String command) {
    assertThatThrownBy(() -> check(command))
        .isInstanceOfAny(
            AssertionError.class, CommandLineOptionException.class, ParameterException.class);
  }

  @Test
  void eachApplicationIsDescribed() throws IOException {
    List<String> rows =
        Files.readAllLines(ROOT.resolve("docs").resolve("applications.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .toList();

    assertThat(Workloads.ALL)
        .allSatisfy(
            workload ->
                assertThat(rows)
                    .as(workload.name())
                    .anyMatch(
                        row ->
                            row.startsWith("| `" + workload.application() + "` | `")
                                && row.contains("`" + workload.variant() + "`")));
  }

  private static void check(String text) throws CommandLineOptionException {
    List<String> words =
        WORD.matcher(text).results().map(DocumentedCommandsTest::unquoted).toList();
    CommandLine line = Main.commandLine();
    String[] args = words.toArray(String[]::new);
    if (Main.isOurs(line, args)) {
      CommandLines.check(line.parseArgs(args));
    } else {
      checkForJmh(words);
    }
  }

  private static void checkForJmh(List<String> words) throws CommandLineOptionException {
    CommandLineOptions options = new CommandLineOptions(words.toArray(String[]::new));
    List<String> names = options.getIncludes().stream().filter(name -> !name.equals(ANY)).toList();
    Set<BenchmarkListEntry> meant =
        BenchmarkList.defaultList()
            .find(
                OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                names,
                List.of());
    assertThat(meant).as("benchmarks named " + names).isNotEmpty();
    for (int i = 0; i < words.size() - 1; i++) {
      if (words.get(i).equals("-p")) {
        String parameter = words.get(i + 1).replaceFirst("=.*", "");
        assertThat(meant)
            .as("benchmarks that have " + parameter)
            .anyMatch(entry -> entry.getParams().orElse(Map.of()).containsKey(parameter));
      }
    }
  }

  private static String unquoted(MatchResult word) {
    return Stream.of(word.group(1), word.group(2), word.group(3))
        .filter(group -> group != null)
        .findFirst()
        .orElseThrow();
  }
}
