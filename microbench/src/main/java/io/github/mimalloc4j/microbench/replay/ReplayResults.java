package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import java.util.List;
import java.util.Map;

/**
 * All that one run of the command found out.
 *
 * @param summary what was recorded
 * @param pacedSeconds how much of the recording was replayed at its pace
 * @param measured by subject, one of which is {@link ReplayRun#NO_ALLOCATOR}; of each subject as
 *     many as there were rounds, in their order
 */
public record ReplayResults(
    Setup setup,
    TraceSummary summary,
    double pacedSeconds,
    Map<String, List<ReplayRun.Measured>> measured) {
  public static final FileFormat<ReplayResults> FORMAT =
      new FileFormat<>("mimalloc4j replay 4", ReplayResults.class, ReplayReport::new);

  /** The subjects that are allocators. */
  List<String> allocators() {
    return measured.keySet().stream()
        .filter(subject -> !subject.equals(ReplayRun.NO_ALLOCATOR))
        .toList();
  }
}
