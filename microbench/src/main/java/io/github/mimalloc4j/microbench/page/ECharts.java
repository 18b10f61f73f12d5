package io.github.mimalloc4j.microbench.page;

/** The charting library: Apache ECharts, from the WebJar on the class path. */
final class ECharts {
  /** The version in the pom. */
  static final String VERSION = "5.5.0";

  private static final String SCRIPT =
      "/META-INF/resources/webjars/echarts/" + VERSION + "/echarts.min.js";

  private ECharts() {}

  /** The library's script, about 1 MB. */
  static String script() {
    return Resource.read(ECharts.class, SCRIPT);
  }
}
