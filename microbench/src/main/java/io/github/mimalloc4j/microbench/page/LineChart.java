package io.github.mimalloc4j.microbench.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Lines over a common axis, with named bands of that axis in the background. */
public final class LineChart implements Chart {
  /** Colours of the background: light enough for lines and text of any colour on them. */
  private static final String SHADED = "rgba(90, 110, 140, 0.14)";

  private static final String CLEAR = "rgba(0, 0, 0, 0)";
  private static final String TEXT = "#333";

  /** From top to bottom, in pixels: legend, labels of bands or the axis's name, plot. */
  private static final int LEGEND_HEIGHT = 30;

  private static final int LABEL_HEIGHT = 50;
  private static final int LABEL_LINE_HEIGHT = 14;

  /** From the plot to the y-axis's name, which stands above two lines of a band's label. */
  private static final int NAME_ABOVE_LABELS = 36;

  private static final int AXIS_NAME_HEIGHT = 22;

  /** An end that was given is no round number, and may be close to one. */
  private static final Map<String, Object> NO_LABEL_AT_THE_END = Map.of("showMaxLabel", false);

  /** How a line is drawn. */
  public enum Look {
    /** A line. */
    SOLID,

    /** A line with gaps. */
    DASHED,

    /** The area below the line, for what other lines are compared to. */
    AREA
  }

  /**
   * A line.
   *
   * @param name for the legend
   * @param colour in the notation of CSS
   * @param look how it is drawn
   * @param points pairs of x and y, in the order of x
   */
  public record Line(String name, String colour, Look look, List<double[]> points) {}

  /**
   * A part of the x-axis.
   *
   * @param label a few short words; a line break is kept
   * @param from its beginning
   * @param to its end
   * @param shaded whether its background is darker than the rest
   */
  public record Band(String label, double from, double to, boolean shaded) {}

  private final Axis x;
  private final Axis y;
  private OptionalDouble top = OptionalDouble.empty();
  private final List<Line> lines = new ArrayList<>();
  private final List<Band> bands = new ArrayList<>();

  /** Makes a chart without lines. */
  public LineChart(Axis x, Axis y) {
    this.x = x;
    this.y = y;
  }

  /** Adds a line; later ones are drawn over earlier ones. */
  public LineChart line(Line line) {
    lines.add(line);
    return this;
  }

  /** Adds a band. */
  public LineChart band(Band band) {
    bands.add(band);
    return this;
  }

  /** Ends the y-axis at a number, so that charts beside each other have the same scale. */
  public LineChart upTo(double number) {
    top = OptionalDouble.of(number);
    return this;
  }

  @Override
  public Map<String, Object> option() {
    Map<String, Object> option = new LinkedHashMap<>();
    option.put("animation", false);
    option.put("legend", legend());
    option.put("tooltip", Map.of("trigger", "axis"));
    option.put(
        "grid",
        Map.of(
            "left",
            8,
            "right",
            16,
            "top",
            LEGEND_HEIGHT + (bands.isEmpty() ? AXIS_NAME_HEIGHT : LABEL_HEIGHT),
            "bottom",
            AXIS_NAME_HEIGHT,
            "containLabel",
            true));
    option.put("xAxis", horizontalAxis());
    option.put("yAxis", verticalAxis());
    List<Object> series = new ArrayList<>();
    if (!bands.isEmpty()) {
      series.add(background());
    }
    lines.forEach(line -> series.add(series(line)));
    option.put("series", series);
    return option;
  }

  private Map<String, Object> legend() {
    return Map.of(
        "type",
        "scroll",
        "top",
        0,
        // The usual icon is drawn like the line, which an area has not.
        "icon",
        "roundRect",
        "itemHeight",
        8,
        "data",
        lines.stream().map(Line::name).toList());
  }

  private Map<String, Object> horizontalAxis() {
    Map<String, Object> axis = x.horizontal();
    // Bands say where one thing ends and the next begins; grid lines between would only confuse.
    axis.put("splitLine", Map.of("show", bands.isEmpty()));
    if (!bands.isEmpty()) {
      axis.put("min", bands.get(0).from());
      axis.put("max", bands.get(bands.size() - 1).to());
      axis.put("axisLabel", NO_LABEL_AT_THE_END);
    }
    return axis;
  }

  private Map<String, Object> verticalAxis() {
    Map<String, Object> axis = y.vertical();
    if (!bands.isEmpty()) {
      axis.put("nameGap", NAME_ABOVE_LABELS);
    }
    if (top.isPresent()) {
      axis.put("max", top.getAsDouble());
      axis.put("axisLabel", NO_LABEL_AT_THE_END);
    }
    return axis;
  }

  private static Map<String, Object> series(Line line) {
    Map<String, Object> series = new LinkedHashMap<>();
    series.put("type", "line");
    series.put("name", line.name());
    series.put("showSymbol", false);
    boolean area = line.look() == Look.AREA;
    series.put(
        "lineStyle",
        Map.of("width", area ? 0 : 2, "type", line.look() == Look.DASHED ? "dashed" : "solid"));
    series.put("itemStyle", Map.of("color", line.colour()));
    if (area) {
      series.put("areaStyle", Map.of("color", line.colour(), "opacity", 1));
    }
    series.put("data", line.points());
    return series;
  }

  /** A series without data: the bands stay whichever line the reader hides. */
  private Map<String, Object> background() {
    Map<String, Object> label =
        Map.of(
            "position",
            "top",
            "distance",
            4,
            "fontSize",
            11,
            "lineHeight",
            LABEL_LINE_HEIGHT,
            "color",
            TEXT);
    List<Object> areas = new ArrayList<>();
    for (Band band : bands) {
      areas.add(
          List.of(
              Map.of(
                  "name", band.label(),
                  "xAxis", band.from(),
                  "itemStyle", Map.of("color", band.shaded() ? SHADED : CLEAR)),
              Map.of("xAxis", band.to())));
    }
    return Map.of(
        "type",
        "line",
        "silent",
        true,
        "data",
        List.of(),
        "markArea",
        Map.of("silent", true, "label", label, "data", areas));
  }
}
