package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.AllocatorKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The main class of the JVM that measures one allocator; {@link WorkerProcess} starts it. */
final class FootprintWorker {
  /** What a line on standard output begins with that names the phase which begins. */
  static final String PHASE = "phase ";

  private FootprintWorker() {}

  /**
   * Runs.
   *
   * @param args a file for the samples, the allocator, and the plan
   */
  public static void main(String[] args) throws Exception {
    List<Sample> samples =
        FootprintRun.run(
            AllocatorKind.valueOf(args[1]),
            FootprintPlan.parse(args[2], args[3], args[4]),
            phase -> System.out.println(PHASE + phase.name()));
    Files.write(Path.of(args[0]), samples.stream().map(Sample::toLine).toList());
  }
}
