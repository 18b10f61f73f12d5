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
    LINEAR("value", 0),

    /** The same for numbers without fractions. */
    WHOLE("value", 0),

    /** Equal ratios are equally far apart; for numbers above 0. */
    LOGARITHMIC("log", 10),

    /** The same in powers of two, for numbers of bytes; page.js gives them their units. */
    BYTES("log", 2);

    private final String type;

    /** Of a logarithmic scale. */
    private final int base;

    Scale(String type, int base) {
      this.type = type;
      this.base = base;
    }
  }

  /** The axis as ECharts knows it, for the bottom of a chart. */
  Map<String, Object> horizontal() {
    Map<String, Object> option = vertical();
    option.put("nameLocation", "middle");
    option.put("nameGap", NAME_GAP);
    option.remove("nameTextStyle");
    return option;
  }

  /** The axis as ECharts knows it, for the left of a chart, with the name above its end. */
  Map<String, Object> vertical() {
    Map<String, Object> option = new LinkedHashMap<>();
    // Otherwise a long name is centred above the axis and cut off on its left.
    option.put("nameTextStyle", Map.of("align", "left"));
    option.put("type", scale.type);
    option.put("name", name);
    if (scale == Scale.WHOLE) {
      option.put("minInterval", 1);
    }
    if (scale.base > 0) {
      option.put("logBase", scale.base);
    }
    return option;
  }
}
