package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.result.Records;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Measures one allocator in a JVM of its own, whose main class this is as well. */
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

  /** What a line on standard output begins with that names the phase which begins. */
  private static final String PHASE = "phase ";

  /** What that JVM found out. */
  private record Result(List<Sample> samples) {}

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
    return ChildProcess.resultOf(
        allocator.optionName(),
        flags,
        WorkerProcess.class,
        List.of(allocator.name(), Records.JSON.toJson(plan)),
        line -> isPhase(line, begun),
        file -> Records.read(file, Result.class).samples());
  }

  private static boolean isPhase(String line, Consumer<Phase> begun) {
    boolean found = line.startsWith(PHASE);
    if (found) {
      begun.accept(Phase.valueOf(line.substring(PHASE.length())));
    }
    return found;
  }

  /**
   * Runs in that JVM.
   *
   * @param args a file for the result, the allocator, and the plan
   */
  public static void main(String[] args) throws Exception {
    List<Sample> samples =
        FootprintRun.run(
            AllocatorKind.valueOf(args[1]),
            Records.JSON.fromJson(args[2], FootprintPlan.class),
            phase -> System.out.println(PHASE + phase.name()));
    Records.write(Path.of(args[0]), new Result(samples));
  }
}
