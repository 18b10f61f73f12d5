package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.ChildJvm;
import io.github.mimalloc4j.microbench.ChildOutput;
import io.github.mimalloc4j.microbench.ForkOptions;
import java.io.IOException;
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
      ChildOutput.read(
          allocator.optionName(), command(allocator, plan, samples), line -> isPhase(line, begun));
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

  private static boolean isPhase(String line, Consumer<Phase> begun) {
    boolean found = line.startsWith(FootprintWorker.PHASE);
    if (found) {
      begun.accept(Phase.valueOf(line.substring(FootprintWorker.PHASE.length())));
    }
    return found;
  }
}
