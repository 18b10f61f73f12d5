package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.CommandLine;
import io.github.mimalloc4j.microbench.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What the user asked for.
 *
 * @param allocators in the order of the first round
 * @param time of one load
 * @param rounds that count
 * @param warmup rounds before those
 * @param connections at a time
 * @param tool what makes the load
 * @param tls whether over TLS
 * @param output the file for the JSON
 */
record EndToEndOptions(
    List<AllocatorKind> allocators,
    Duration time,
    int rounds,
    int warmup,
    int connections,
    LoadTool tool,
    boolean tls,
    Path output) {

  static final String SYNOPSIS =
      "[--allocator all] [--seconds 10] [--rounds 5] [--warmup 2] [--connections 32] [--load own|wrk|h2load]"
          + " [--tls] [--output end-to-end.json]";

  static final List<AllocatorKind> ALL =
      List.of(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE, AllocatorKind.POOLED);

  private static final int DEFAULT_SECONDS = 10;
  private static final int MAX_SECONDS = 3600;
  private static final int DEFAULT_ROUNDS = 5;
  private static final int MAX_ROUNDS = 1000;

  /**
   * A server needs 100,000 requests or more before the processor time of one has settled: the
   * compiler's own time is part of it, and code that is not yet compiled.
   */
  private static final int DEFAULT_WARMUP = 2;

  private static final int DEFAULT_CONNECTIONS = 32;
  private static final int MAX_CONNECTIONS = 10_000;

  /**
   * Reads the command line.
   *
   * @param args what followed the command's name
   * @param path where to look for wrk and h2load, as in the variable of that name
   */
  static EndToEndOptions parse(List<String> args, String path) throws UsageException {
    CommandLine line =
        CommandLine.parse(
            args,
            Set.of(
                "--allocator",
                "--seconds",
                "--rounds",
                "--warmup",
                "--connections",
                "--load",
                "--output"),
            Set.of("--tls"));
    return new EndToEndOptions(
        line.someOf("--allocator", AllocatorKind.class, ALL),
        Duration.ofSeconds(line.intValue("--seconds", DEFAULT_SECONDS, 1, MAX_SECONDS)),
        line.intValue("--rounds", DEFAULT_ROUNDS, 1, MAX_ROUNDS),
        line.intValue("--warmup", DEFAULT_WARMUP, 0, MAX_ROUNDS),
        line.intValue("--connections", DEFAULT_CONNECTIONS, 1, MAX_CONNECTIONS),
        tool(line, path),
        line.flag("--tls"),
        line.outputFile("--output", "end-to-end.json"));
  }

  private static LoadTool tool(CommandLine line, String path) throws UsageException {
    if (!line.flag("--load")) {
      return LoadTool.preferred(path);
    }
    LoadTool tool = line.requiredChoice("--load", LoadTool.class);
    if (!tool.isInstalled(path)) {
      throw new UsageException("--load " + tool.optionName() + ": not found on the PATH");
    }
    return tool;
  }
}
