package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.List;

/**
 * The times of single operations with other allocators, divided by those with mimalloc4j.
 *
 * @param ratios of which the parameters say what was done, in the words of a table or a plot
 */
public record CompareResults(Setup setup, List<Against> ratios) {
  public static final FileFormat<CompareResults> FORMAT =
      new FileFormat<>("mimalloc4j compare 1", CompareResults.class, CompareReport::new);
}
