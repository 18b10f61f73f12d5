package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.List;
import java.util.Map;

/** All that one run of the command found out: samples in the order of time. */
public record FootprintResults(Setup setup, FootprintPlan plan, Map<String, List<Sample>> samples) {
  public static final FileFormat<FootprintResults> FORMAT =
      new FileFormat<>("mimalloc4j footprint 3", FootprintResults.class, FootprintReport::new);
}
