package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.result.Records;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleConsumer;

/** Measures one subject in a JVM of its own, whose main class this is as well. */
final class WorkerProcess implements LatencyCommand.Meter {
  /** As in the benchmarks; the limit of direct memory is far above all needs. */
  private static final List<String> FLAGS =
      List.of(
          ForkOptions.GC,
          "-Xms1g",
          "-Xmx1g",
          "-XX:MaxDirectMemorySize=4g",
          ForkOptions.NO_LEAK_DETECTION);

  /** What a line on standard output begins with that tells the part which is done. */
  private static final String DONE = "done ";

  private static final long NANOS_BETWEEN = 2_000_000_000L;

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
        WorkerProcess.class,
        List.of(subject, Long.toString(operations)),
        line -> isProgress(line, progress),
        file -> Records.read(file, RoundResult.class));
  }

  private static boolean isProgress(String line, DoubleConsumer progress) {
    boolean found = line.startsWith(DONE);
    if (found) {
      progress.accept(Double.parseDouble(line.substring(DONE.length())));
    }
    return found;
  }

  /**
   * Runs in that JVM, on an event loop.
   *
   * @param args a file for the result, the subject, and the number of operations
   */
  public static void main(String[] args) throws Exception {
    AtomicLong told = new AtomicLong(System.nanoTime());
    DoubleConsumer progress =
        done -> {
          if (System.nanoTime() - told.get() >= NANOS_BETWEEN) {
            told.set(System.nanoTime());
            System.out.println(DONE + done);
          }
        };
    ExecutorService loop = ThreadKind.NIO_EVENT_LOOP.newExecutor(1);
    RoundResult result =
        loop.submit(() -> new LatencyRun(args[1]).measure(Long.parseLong(args[2]), progress)).get();
    Records.write(Path.of(args[0]), result);
    ThreadKind.close(loop);
  }
}
