package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.ChildJvm;
import io.github.mimalloc4j.microbench.ForkOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Measures one allocator in a JVM of its own. */
final class WorkerProcess implements FootprintCommand.Meter {
  /**
   * A small heap, all of which is resident from the start: what comes and goes is then the buffers'
   * memory. The limit of direct memory is far above all needs, for some allocators take smaller
   * steps below a low one.
   */
  private static final List<String> FLAGS =
      List.of(
          ForkOptions.GC,
          "-Xms128m",
          "-Xmx128m",
          "-XX:+AlwaysPreTouch",
          "-XX:MaxDirectMemorySize=16g",
          ForkOptions.NO_LEAK_DETECTION);

  private final List<String> flags;

  WorkerProcess() {
    this(ChildJvm.flags(FLAGS));
  }

  WorkerProcess(List<String> flags) {
    this.flags = flags;
  }

  /** The flags of the JVMs that it starts. */
  List<String> flags() {
    return flags;
  }

  @Override
  public List<Sample> measure(AllocatorKind allocator, FootprintPlan plan, Consumer<Phase> begun)
      throws IOException, InterruptedException {
    Path samples = Files.createTempFile("footprint", ".csv");
    samples.toFile().deleteOnExit(); // For the case that the user gives up.
    try {
      Process process =
          new ProcessBuilder(command(allocator, plan, samples)).redirectErrorStream(true).start();
      ChildJvm.stopAtExit(process);
      try {
        await(process, allocator, begun);
      } finally {
        process.destroyForcibly();
      }
      return Files.readAllLines(samples).stream().map(Sample::parse).toList();
    } finally {
      Files.deleteIfExists(samples);
    }
  }

  private List<String> command(AllocatorKind allocator, FootprintPlan plan, Path samples) {
    List<String> arguments = new ArrayList<>();
    arguments.add(allocator.name());
    arguments.add(samples.toString());
    arguments.addAll(List.of(plan.toArguments()));
    return ChildJvm.command(flags, FootprintWorker.class, arguments);
  }

  private static void await(Process process, AllocatorKind allocator, Consumer<Phase> begun)
      throws IOException, InterruptedException {
    // Kept in memory: nobody wants to read it unless the worker fails.
    StringBuilder log = new StringBuilder();
    try (BufferedReader output = process.inputReader(Charset.defaultCharset())) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith(FootprintWorker.PHASE)) {
          begun.accept(Phase.valueOf(line.substring(FootprintWorker.PHASE.length())));
        } else {
          log.append(line).append('\n');
        }
      }
    }
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException(
          "the JVM for "
              + allocator.optionName()
              + " ended with exit code "
              + exitCode
              + "\n"
              + log);
    }
  }
}
