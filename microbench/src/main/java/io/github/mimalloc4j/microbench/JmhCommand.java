package io.github.mimalloc4j.microbench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.result.Machine;
import io.github.mimalloc4j.microbench.result.Records;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH, and adds to the results that it writes as JSON what it leaves out and a report needs:
 * Netty's version and the machine. They are of this JVM, whose class path and machine are also
 * those of the measured ones.
 */
final class JmhCommand {
  private static final String DEFAULT_FILE = "jmh-result.json";

  /** Other programs that read JMH's results ignore it. */
  private static final String ENVIRONMENT = "environment";

  private static final Gson JSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private JmhCommand() {}

  /** Runs JMH, which may end this JVM. */
  static void run(String[] args, PrintStream err) throws IOException {
    Optional<String> unknown = unknownParameter(args);
    if (unknown.isPresent()) {
      err.println("no benchmark of these has a parameter " + unknown.get());
      System.exit(1);
    }
    Optional<Path> file = resultFile(args);
    Optional<Long> before = file.map(JmhCommand::lastWritten);
    org.openjdk.jmh.Main.main(args);
    // Not a file of another run, when this one only listed the benchmarks.
    if (!file.map(JmhCommand::lastWritten).equals(before)) {
      try {
        addEnvironment(file.get());
      } catch (IOException | JsonParseException | IllegalStateException e) {
        err.println("cannot add the environment to " + file.get() + ": " + e.getMessage());
      }
    }
  }

  /**
   * The first parameter ({@code -p name=...}) that none of the chosen benchmarks has. JMH would
   * ignore it.
   */
  static Optional<String> unknownParameter(String[] args) {
    Set<BenchmarkListEntry> chosen = chosen(args);
    if (chosen.isEmpty()) {
      return Optional.empty(); // JMH says what is wrong.
    }
    Set<String> known = new HashSet<>();
    for (BenchmarkListEntry benchmark : chosen) {
      known.addAll(benchmark.getParams().orElse(Map.of()).keySet());
    }
    return IntStream.range(1, args.length)
        .filter(i -> args[i - 1].equals("-p"))
        .mapToObj(i -> args[i].split("=", 2)[0].trim())
        .filter(name -> !known.contains(name))
        .findFirst();
  }

  private static Set<BenchmarkListEntry> chosen(String[] args) {
    try {
      CommandLineOptions options = new CommandLineOptions(args);
      OutputFormat silent =
          OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
      return BenchmarkList.defaultList().find(silent, options.getIncludes(), options.getExcludes());
    } catch (CommandLineOptionException e) {
      return Set.of();
    }
  }

  /** The file of results as JSON that JMH will write, if any. */
  static Optional<Path> resultFile(String[] args) {
    try {
      CommandLineOptions options = new CommandLineOptions(args);
      return options.getResultFormat().orElse(ResultFormatType.CSV) == ResultFormatType.JSON
          ? Optional.of(Path.of(options.getResult().orElse(DEFAULT_FILE)))
          : Optional.empty();
    } catch (CommandLineOptionException e) {
      return Optional.empty(); // JMH says it better.
    }
  }

  private static long lastWritten(Path file) {
    return file.toFile().lastModified(); // 0 if there is none
  }

  /** Adds the environment to each of JMH's results that has none. */
  static void addEnvironment(Path file) throws IOException {
    JsonElement results = JsonParser.parseString(Files.readString(file));
    if (!results.isJsonArray()) {
      return; // Nothing was measured.
    }
    JsonElement machine = Records.JSON.toJsonTree(Machine.here());
    for (JsonElement result : results.getAsJsonArray()) {
      if (!result.getAsJsonObject().has(ENVIRONMENT)) {
        result.getAsJsonObject().add(ENVIRONMENT, machine);
      }
    }
    Files.writeString(file, JSON.toJson(results) + "\n");
  }
}
