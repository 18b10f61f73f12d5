package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.ChildJvm;
import io.github.mimalloc4j.microbench.ChildOutput;
import io.github.mimalloc4j.microbench.ForkOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleConsumer;

/** Measures one subject in a JVM of its own. */
final class WorkerProcess implements LatencyCommand.Meter {
  /** As in the benchmarks; the limit of direct memory is far above all needs. */
  private static final List<String> FLAGS =
      List.of(
          ForkOptions.GC,
          "-Xms1g",
          "-Xmx1g",
          "-XX:MaxDirectMemorySize=4g",
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
  public RoundResult measure(String subject, long operations, DoubleConsumer progress)
      throws IOException, InterruptedException {
    Path result = Files.createTempFile("latency", ".hdr");
    result.toFile().deleteOnExit(); // For the case that the user gives up.
    try {
      List<String> arguments = List.of(subject, Long.toString(operations), result.toString());
      ChildOutput.read(
          Subject.label(subject),
          ChildJvm.command(flags, LatencyWorker.class, arguments),
          line -> isProgress(line, progress));
      return RoundResult.read(result);
    } finally {
      Files.deleteIfExists(result);
    }
  }

  private static boolean isProgress(String line, DoubleConsumer progress) {
    boolean found = line.startsWith(LatencyWorker.DONE);
    if (found) {
      progress.accept(Double.parseDouble(line.substring(LatencyWorker.DONE.length())));
    }
    return found;
  }
}
