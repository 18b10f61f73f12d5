package io.github.mimalloc4j.microbench.page;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;

/**
 * Values of several series in rows: a dot for the median, and a line from the lowest to the highest
 * value, drawn at the edge if the axis ends before. The dot of a single value is hollow. Several
 * plots make one SVG image, for documents that cannot run the script of a {@link Document}. Plots
 * with the same axis have the same scale and the same order of rows.
 */
public final class RangePlot {
  private static final int LABEL_WIDTH = 165;
  private static final int PLOT_WIDTH = 250;
  private static final int PANEL_WIDTH = LABEL_WIDTH + PLOT_WIDTH + 20;
  private static final int ROW_HEIGHT = 21;
  private static final int LEGEND = 30;
  private static final int TOP = 30;
  private static final int BOTTOM = 54;

  /** Legible on white, and told apart by people who see few colours. */
  private static final List<String> COLORS = List.of("#d55e00", "#0072b2", "#009e73", "#cc79a7");

  /** Numbers that axes may show. */
  private static final List<Double> RATIOS =
      List.of(0.12, 0.25, 0.35, 0.5, 0.7, 1., 1.4, 2., 3., 4., 6., 8., 12., 16.);

  private static final List<Double> PERCENTAGES = List.of(0., 20., 40., 60., 80., 100., 120., 140.);

  private enum Scale {
    /** Logarithmic: twice as much and half as much are equally far from 1. */
    RATIO(Double.MIN_VALUE, 1, RATIOS, 0.7, 1.4, Math::log),
    PERCENTAGE(0, 0, PERCENTAGES, 0, 100, DoubleUnaryOperator.identity());

    /** The least value that has a place. */
    final double least;

    /** What the others are compared with. */
    final double base;

    private final List<Double> ticks;

    /** Each axis goes from here, or further down, to the other, or further up. */
    private final double low;

    private final double high;
    final DoubleUnaryOperator place;

    Scale(
        double least,
        double base,
        List<Double> ticks,
        double low,
        double high,
        DoubleUnaryOperator place) {
      this.least = least;
      this.base = base;
      this.ticks = ticks;
      this.low = low;
      this.high = high;
      this.place = place;
    }

    /** From the last number below all ranges to the first one above them. */
    List<Double> ticks(List<Map<String, Range>> rows) {
      List<Range> ranges = rows.stream().flatMap(row -> row.values().stream()).toList();
      double from = Math.min(low, ranges.stream().mapToDouble(Range::low).min().orElseThrow());
      double to = Math.max(high, ranges.stream().mapToDouble(Range::high).max().orElseThrow());
      return ticks.stream()
          .filter(tick -> ticks.stream().noneMatch(next -> tick < next && next <= from))
          .filter(tick -> ticks.stream().noneMatch(last -> to <= last && last < tick))
          .toList();
    }
  }

  /** A value with its spread. */
  private record Range(double middle, double low, double high) {}

  private final Scale scale;
  private final String title;
  private final String axis;
  private final Map<String, Map<String, Range>> rows = new LinkedHashMap<>();

  private RangePlot(Scale scale, String title, String axis) {
    this.scale = scale;
    this.title = title;
    this.axis = axis;
  }

  public String title() {
    return title;
  }

  /** The same plot with another title. */
  public RangePlot titled(String other) {
    RangePlot plot = new RangePlot(scale, other, axis);
    plot.rows.putAll(rows);
    return plot;
  }

  /**
   * A plot of numbers above 0 that are to be compared with 1.
   *
   * @param title what tells this plot from those beside it
   * @param axis what the numbers are
   */
  public static RangePlot ofRatios(String title, String axis) {
    return new RangePlot(Scale.RATIO, title, axis);
  }

  /** A plot of numbers from 0 to about 100. */
  public static RangePlot ofPercentages(String title, String axis) {
    return new RangePlot(Scale.PERCENTAGE, title, axis);
  }

  /**
   * Adds what a series has in a row.
   *
   * @throws IllegalArgumentException if the values are not in order or not on the scale
   */
  public RangePlot add(String row, String series, double middle, double low, double high) {
    if (!(low >= scale.least && middle >= low && high >= middle)) {
      throw new IllegalArgumentException("no range: " + low + ", " + middle + ", " + high);
    }
    rows.computeIfAbsent(row, key -> new LinkedHashMap<>())
        .put(series, new Range(middle, low, high));
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * Makes one image of plots, none of which is empty, in up to two columns. The row with the lowest
   * median comes first.
   */
  public static String svg(List<RangePlot> plots) {
    Drawing drawing = new Drawing(plots);
    int[] bottoms = {LEGEND, LEGEND};
    // From the tallest plot to the shortest, so that the columns become about equally long.
    for (RangePlot plot :
        plots.stream().sorted(Comparator.comparingInt(RangePlot::height).reversed()).toList()) {
      int column = bottoms[1] < bottoms[0] ? 1 : 0;
      drawing.plot(plot, column * PANEL_WIDTH, bottoms[column]);
      bottoms[column] += plot.height();
    }
    return drawing.end(Math.min(plots.size(), 2) * PANEL_WIDTH, Math.max(bottoms[0], bottoms[1]));
  }

  private int height() {
    return TOP + rows.size() * ROW_HEIGHT + BOTTOM;
  }

  /** The numbers from the left edge of a plot to the right one. */
  private record Axis(Scale scale, List<Double> ticks, int left) {
    double x(double value) {
      double first = place(ticks.get(0));
      double last = place(ticks.get(ticks.size() - 1));
      double shown = Math.max(first, Math.min(last, place(value)));
      return left + PLOT_WIDTH * (shown - first) / (last - first);
    }

    private double place(double value) {
      return scale.place.applyAsDouble(value);
    }
  }

  /** The image as it grows. */
  private static final class Drawing {
    private static final String BACKGROUND = "#ffffff";
    private static final String START = "text-anchor='start'";
    private static final String MIDDLE = "text-anchor='middle'";
    private static final String END = "text-anchor='end'";

    private final List<RangePlot> plots;
    private final List<String> series;
    private final StringBuilder elements = new StringBuilder();

    Drawing(List<RangePlot> plots) {
      this.plots = plots;
      series =
          plots.stream()
              .flatMap(plot -> plot.rows.values().stream())
              .flatMap(row -> row.keySet().stream())
              .distinct()
              .sorted()
              .toList();
      for (int i = 0; i < series.size(); i++) {
        int x = LABEL_WIDTH + i * 110;
        add("<circle cx='%d' cy='16' r='4' fill='%s'/>", x + 4, color(series.get(i)));
        text(x + 14, 20, START, series.get(i));
      }
    }

    private String color(String name) {
      return COLORS.get(series.indexOf(name) % COLORS.size());
    }

    void plot(RangePlot plot, int x, int y) {
      List<RangePlot> alike = plots.stream().filter(each -> each.axis.equals(plot.axis)).toList();
      List<String> labels = sorted(plot.rows.keySet(), alike);
      int top = y + TOP;
      int bottom = top + labels.size() * ROW_HEIGHT;
      Axis axis =
          new Axis(
              plot.scale,
              plot.scale.ticks(
                  alike.stream().flatMap(each -> each.rows.values().stream()).toList()),
              x + LABEL_WIDTH);
      text(axis.left, top - 10, START + " font-weight='bold'", plot.title);
      for (double tick : axis.ticks) {
        double at = axis.x(tick);
        line(at, top, at, bottom, stroke(tick == plot.scale.base ? "#333333" : "#dddddd"));
        text(at, bottom + 16, MIDDLE, tick == (int) tick ? "" + (int) tick : "" + tick);
      }
      text(axis.left + PLOT_WIDTH, bottom + 34, END, plot.axis);
      for (int i = 0; i < labels.size(); i++) {
        row(labels.get(i), plot.rows.get(labels.get(i)), axis, top + i * ROW_HEIGHT);
      }
    }

    /** Sorts labels by the lowest median that their rows have in any of the plots. */
    private static List<String> sorted(Set<String> labels, List<RangePlot> plots) {
      return labels.stream()
          .sorted(
              Comparator.comparingDouble(
                  label ->
                      plots.stream()
                          .flatMap(
                              plot -> plot.rows.getOrDefault(label, Map.of()).values().stream())
                          .mapToDouble(Range::middle)
                          .min()
                          .orElseThrow()))
          .toList();
    }

    private void row(String label, Map<String, Range> ranges, Axis axis, int top) {
      text(axis.left - 8, top + 15, END, label);
      List<String> shown = series.stream().filter(ranges::containsKey).toList();
      for (int i = 0; i < shown.size(); i++) {
        Range range = ranges.get(shown.get(i));
        String color = color(shown.get(i));
        double y = top + ROW_HEIGHT * (i + 1.0) / (shown.size() + 1);
        line(axis.x(range.low), y, axis.x(range.high), y, stroke(color) + " stroke-width='2'");
        add(
            "<circle cx='%.1f' cy='%.1f' r='3' fill='%s' stroke='%s'/>",
            axis.x(range.middle), y, range.low < range.high ? color : BACKGROUND, color);
      }
    }

    private static String stroke(String color) {
      return "stroke='" + color + "'";
    }

    private void line(double x1, double y1, double x2, double y2, String attributes) {
      add("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' %s/>", x1, y1, x2, y2, attributes);
    }

    private void text(double x, double y, String attributes, String text) {
      add(
          "<text x='%.1f' y='%.1f' %s>%s</text>",
          x, y, attributes, text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private void add(String format, Object... values) {
      elements.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    String end(int width, int height) {
      return """
          <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' role='img'
            font-family='system-ui, sans-serif' font-size='12' fill='#333333'>
          <rect width='100%%' height='100%%' fill='%s'/>
          %s</svg>
          """
          .formatted(width, height, width, BACKGROUND, elements);
    }
  }
}
