package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import java.io.IOException;
import java.nio.file.Files;
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
  public List<Sample> measure(AllocatorKind allocator, FootprintPlan plan, Consumer<Phase> begun)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(allocator.name()));
    arguments.addAll(List.of(plan.toArguments()));
    return ChildProcess.resultOf(
        allocator.optionName(),
        flags,
        FootprintWorker.class,
        arguments,
        line -> isPhase(line, begun),
        file -> Files.readAllLines(file).stream().map(Sample::parse).toList());
  }

  private static boolean isPhase(String line, Consumer<Phase> begun) {
    boolean found = line.startsWith(FootprintWorker.PHASE);
    if (found) {
      begun.accept(Phase.valueOf(line.substring(FootprintWorker.PHASE.length())));
    }
    return found;
  }
}
