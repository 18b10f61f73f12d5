package io.github.mimalloc4j.microbench.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lines through measured points, each of which has a line from the lowest to the highest value that
 * it stands for.
 */
public final class PointChart implements Chart {
  private static final String WHISKER = "pointWhisker";

  /** In pixels: legend and the axis's name above the plot, the other axis's name below. */
  private static final int TOP = 62;

  private static final int BOTTOM = 30;

  /**
   * A point.
   *
   * @param x where it is
   * @param y its value
   * @param low where the line begins
   * @param high where the line ends
   */
  public record Point(double x, double y, double low, double high) {
    double[] toArray() {
      return new double[] {x, y, low, high};
    }
  }

  private record Line(String name, String colour, boolean dashed, List<Point> points) {}

  private final Axis x;
  private final Axis y;
  private final List<Line> lines = new ArrayList<>();
  private Optional<Map<String, Object>> mark = Optional.empty();

  /** Makes a chart without lines. */
  public PointChart(Axis x, Axis y) {
    this.x = x;
    this.y = y;
  }

  /**
   * Adds a line.
   *
   * @param name for the legend
   * @param colour in the notation of CSS
   * @param dashed whether it has gaps
   * @param points in the order of x
   */
  public PointChart line(String name, String colour, boolean dashed, List<Point> points) {
    lines.add(new Line(name, colour, dashed, points));
    return this;
  }

  /** Draws a horizontal line, what to compare the points to. */
  public PointChart mark(String label, double value) {
    mark =
        Optional.of(
            Map.of(
                "silent",
                true,
                "symbol",
                "none",
                "lineStyle",
                Map.of("color", "#333", "type", "dashed"),
                "label",
                Map.of("formatter", label, "position", "insideStartBottom", "color", "#333"),
                "data",
                List.of(Map.of("yAxis", value))));
    return this;
  }

  @Override
  public Map<String, Object> option() {
    Map<String, Object> option = new LinkedHashMap<>();
    option.put("animation", false);
    option.put("legend", Map.of("type", "scroll", "top", 0));
    option.put("tooltip", Map.of("trigger", "item"));
    option.put(
        "grid", Map.of("left", 8, "right", 32, "top", TOP, "bottom", BOTTOM, "containLabel", true));
    option.put("xAxis", x.horizontal());
    option.put("yAxis", y.vertical());
    List<Object> series = new ArrayList<>();
    for (Line line : lines) {
      series.add(points(line));
      series.add(whiskers(line));
    }
    option.put("series", series);
    return option;
  }

  private Map<String, Object> points(Line line) {
    Map<String, Object> series = common(line, "line");
    series.put("symbolSize", 7);
    series.put("symbol", "circle");
    series.put("lineStyle", Map.of("width", 2, "type", line.dashed() ? "dashed" : "solid"));
    series.put("encode", Map.of("x", 0, "y", 1));
    if (mark.isPresent() && line.equals(lines.get(0))) {
      series.put("markLine", mark.get());
    }
    return series;
  }

  /** With the line's name, so that both are hidden together. */
  private Map<String, Object> whiskers(Line line) {
    Map<String, Object> series = common(line, "custom");
    series.put("renderItem", WHISKER);
    series.put("silent", true);
    series.put("encode", Map.of("x", 0, "y", List.of(1, 2, 3)));
    series.put("z", 5);
    return series;
  }

  private static Map<String, Object> common(Line line, String type) {
    Map<String, Object> series = new LinkedHashMap<>();
    series.put("type", type);
    series.put("name", line.name());
    series.put("itemStyle", Map.of("color", line.colour()));
    series.put("data", line.points().stream().map(Point::toArray).toList());
    return series;
  }
}
