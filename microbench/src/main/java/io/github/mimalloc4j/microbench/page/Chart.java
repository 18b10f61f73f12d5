package io.github.mimalloc4j.microbench.page;

import java.util.Map;

/** Something that ECharts can draw. */
@FunctionalInterface
public interface Chart {
  /** The argument of ECharts' {@code setOption}: maps, lists, strings, numbers and booleans. */
  Map<String, Object> option();

  /** How high the chart is, in pixels; its width is that of the page. */
  default int height() {
    return 380;
  }
}
