package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.Map;

/**
 * What one run with bursts found out.
 *
 * @param sizes of the buffers
 * @param allocators all with the same number of bursts
 */
public record BurstsResults(
    Setup setup, FootprintPlan plan, String sizes, Map<String, BurstsRun.Bursts> allocators) {
  public static final FileFormat<BurstsResults> FORMAT =
      new FileFormat<>("mimalloc4j bursts 1", BurstsResults.class, BurstsReport::new);
}
