package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.result.Records;
import java.io.IOException;
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
    this(ChildProcess.flags(FLAGS));
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
    return ChildProcess.resultOf(
        Subject.label(subject),
        flags,
        LatencyWorker.class,
        List.of(subject, Long.toString(operations)),
        line -> isProgress(line, progress),
        file -> Records.read(file, RoundResult.class));
  }

  private static boolean isProgress(String line, DoubleConsumer progress) {
    boolean found = line.startsWith(LatencyWorker.DONE);
    if (found) {
      progress.accept(Double.parseDouble(line.substring(LatencyWorker.DONE.length())));
    }
    return found;
  }
}
