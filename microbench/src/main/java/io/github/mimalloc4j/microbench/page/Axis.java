package io.github.mimalloc4j.microbench.page;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An axis of numbers.
 *
 * @param name what it counts, and the unit
 * @param scale how numbers become distances
 */
public record Axis(String name, Scale scale) {
  /** Between the numbers and the name below them, in pixels. */
  private static final int NAME_GAP = 28;

  /** How numbers become distances. */
  public enum Scale {
    /** Equal differences are equally far apart. */
    LINEAR("value"),

    /** Equal ratios are equally far apart; for numbers above 0. */
    LOGARITHMIC("log");

    private final String type;

    Scale(String type) {
      this.type = type;
    }
  }

  /** The axis as ECharts knows it, for the bottom of a chart. */
  Map<String, Object> horizontal() {
    Map<String, Object> option = vertical();
    option.put("nameLocation", "middle");
    option.put("nameGap", NAME_GAP);
    return option;
  }

  /** The axis as ECharts knows it, for the left of a chart, with the name above its end. */
  Map<String, Object> vertical() {
    Map<String, Object> option = new LinkedHashMap<>();
    option.put("type", scale.type);
    option.put("name", name);
    return option;
  }
}
