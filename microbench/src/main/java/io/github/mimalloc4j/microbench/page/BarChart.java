package io.github.mimalloc4j.microbench.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Horizontal bars in groups, each with its number and a line from the lowest to the highest value
 * that it stands for. The chart is as high as its bars need.
 */
public final class BarChart implements Chart {
  /** In pixels. */
  private static final int LEGEND_HEIGHT = 30;

  private static final int MARK_HEIGHT = 20;
  private static final int AXIS_HEIGHT = 58;
  private static final int BOTTOM = 30;
  private static final int BAR_HEIGHT = 22;
  private static final int GROUP_GAP = 16;
  private static final int LABEL_WIDTH = 190;

  /** For the number behind the longest bar. */
  private static final int SPACE_FOR_NUMBERS = 56;

  /** Parts of a group's height and of a bar's; page.js needs them, too, to find the bars. */
  private static final String CATEGORY_GAP = "20%";

  private static final String BAR_GAP = "15%";

  private static final String WHISKER = "barWhisker";

  /**
   * A bar.
   *
   * @param value its length
   * @param low where the line begins
   * @param high where the line ends
   */
  public record Bar(double value, double low, double high) {}

  private record Series(String name, String colour, List<Optional<Bar>> bars) {}

  private record Mark(String label, double value) {}

  private final String axis;
  private final List<String> groups;
  private final List<Series> series = new ArrayList<>();
  private Optional<Mark> mark = Optional.empty();

  /**
   * Makes a chart without bars.
   *
   * @param axis what the bars' lengths are
   * @param groups the names of the groups, from top to bottom
   */
  public BarChart(String axis, List<String> groups) {
    this.axis = axis;
    this.groups = groups;
  }

  /**
   * Adds a bar to each group.
   *
   * @param name for the legend
   * @param colour in the notation of CSS
   * @param bars one for each group, or nothing
   */
  public BarChart bars(String name, String colour, List<Optional<Bar>> bars) {
    series.add(new Series(name, colour, bars));
    return this;
  }

  /** Draws a line across all groups, what to compare the bars to. */
  public BarChart mark(String label, double value) {
    mark = Optional.of(new Mark(label, value));
    return this;
  }

  @Override
  public int height() {
    return top() + AXIS_HEIGHT + groups.size() * (series.size() * BAR_HEIGHT + GROUP_GAP);
  }

  private int top() {
    return LEGEND_HEIGHT + (mark.isPresent() ? MARK_HEIGHT : 0);
  }

  @Override
  public Map<String, Object> option() {
    Map<String, Object> option = new LinkedHashMap<>();
    option.put("animation", false);
    // Not to be clicked: with one series hidden, the lines would not be on their bars.
    option.put("legend", Map.of("type", "scroll", "top", 0, "selectedMode", false));
    option.put("tooltip", Map.of("trigger", "item"));
    option.put(
        "grid",
        Map.of(
            "left",
            8,
            "right",
            SPACE_FOR_NUMBERS,
            "top",
            top(),
            "bottom",
            BOTTOM,
            "containLabel",
            true));
    Map<String, Object> horizontal = new Axis(axis, Axis.Scale.LINEAR).horizontal();
    horizontal.put("axisLabel", Map.of("hideOverlap", true));
    option.put("xAxis", horizontal);
    option.put(
        "yAxis",
        Map.of(
            "type",
            "category",
            "inverse",
            true,
            "data",
            groups,
            "axisTick",
            Map.of("show", false),
            "axisLabel",
            Map.of("interval", 0, "lineHeight", 14, "width", LABEL_WIDTH, "overflow", "break")));
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      all.add(bars(i));
      all.add(whiskers(i));
    }
    option.put("series", all);
    return option;
  }

  private Map<String, Object> bars(int index) {
    Map<String, Object> option = common(index, "bar");
    option.put("itemStyle", Map.of("color", series.get(index).colour()));
    option.put("encode", Map.of("x", 0, "y", 1));
    option.put("data", data(index));
    if (index == 0 && mark.isPresent()) {
      option.put("markLine", markLine(mark.get()));
    }
    return option;
  }

  private Map<String, Object> whiskers(int index) {
    Map<String, Object> option = common(index, "custom");
    option.put("renderItem", WHISKER);
    option.put("itemStyle", Map.of("color", series.get(index).colour()));
    option.put("silent", true);
    option.put("barIndex", index);
    option.put("barCount", series.size());
    option.put("encode", Map.of("x", List.of(0, 2, 3), "y", 1));
    option.put("data", data(index));
    option.put("z", 6); // Above the mark.
    return option;
  }

  private Map<String, Object> common(int index, String type) {
    Map<String, Object> option = new LinkedHashMap<>();
    option.put("type", type);
    option.put("name", series.get(index).name());
    option.put("barGap", BAR_GAP);
    option.put("barCategoryGap", CATEGORY_GAP);
    return option;
  }

  private List<double[]> data(int index) {
    List<double[]> data = new ArrayList<>();
    for (int group = 0; group < groups.size(); group++) {
      Optional<Bar> bar = series.get(index).bars().get(group);
      if (bar.isPresent()) {
        data.add(new double[] {bar.get().value(), group, bar.get().low(), bar.get().high()});
      }
    }
    return data;
  }

  private static Map<String, Object> markLine(Mark mark) {
    return Map.of(
        "silent",
        true,
        "symbol",
        "none",
        "z",
        3,
        "lineStyle",
        Map.of("color", "#333", "type", "dashed"),
        // The axis is turned upside down, and the line with it.
        "label",
        Map.of("formatter", mark.label(), "position", "start", "color", "#333"),
        "data",
        List.of(Map.of("xAxis", mark.value())));
  }
}
