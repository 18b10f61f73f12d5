package io.github.mimalloc4j.microbench.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Ratios of several series in rows: a dot for the median, and a line from the lowest to the highest
 * value. Plots of the same rows stand side by side in one SVG image, for documents that cannot run
 * the script of a {@link Document}.
 *
 * <p>The scale is logarithmic, so that twice as much and half as much are equally far from 1.
 */
public final class RangePlot {
  private static final int LABEL_WIDTH = 165;
  private static final int PLOT_WIDTH = 330;
  private static final int GAP = 24;
  private static final int ROW_HEIGHT = 22;
  private static final int TOP = 62;
  private static final int BOTTOM = 48;

  /** Numbers that the axis may show. */
  private static final double[] TICKS = {
    0.125, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.6, 2, 2.5, 3, 4, 6, 8, 16, 32, 64, 128
  };

  /** Legible on white, and told apart by people who see few colours. */
  private static final List<String> COLORS = List.of("#d55e00", "#0072b2", "#009e73", "#cc79a7");

  /** A value with its spread, above 0. */
  private record Range(double middle, double low, double high) {}

  private final String title;
  private final String axis;
  private final Map<String, Map<String, Range>> rows = new LinkedHashMap<>();

  /**
   * @param title what tells this plot from those beside it
   * @param axis what the numbers are
   */
  public RangePlot(String title, String axis) {
    this.title = title;
    this.axis = axis;
  }

  /**
   * Adds what a series has in a row.
   *
   * @throws IllegalArgumentException if a value is not above 0
   */
  public RangePlot add(String row, String series, double middle, double low, double high) {
    if (!(low > 0 && middle >= low && high >= middle)) {
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
   * One image of plots of which none is empty. The row with the lowest median anywhere comes first.
   */
  public static String svg(List<RangePlot> plots) {
    List<String> rows =
        plots.stream()
            .flatMap(plot -> plot.rows.keySet().stream())
            .distinct()
            .sorted(Comparator.comparingDouble(row -> lowest(plots, row)))
            .toList();
    Drawing drawing = new Drawing(rows, series(plots), scale(plots));
    for (int i = 0; i < plots.size(); i++) {
      drawing.plot(plots.get(i), LABEL_WIDTH + i * (PLOT_WIDTH + GAP));
    }
    return drawing.end(LABEL_WIDTH + plots.size() * (PLOT_WIDTH + GAP));
  }

  private static double lowest(List<RangePlot> plots, String row) {
    return plots.stream()
        .flatMap(plot -> plot.rows.getOrDefault(row, Map.of()).values().stream())
        .mapToDouble(Range::middle)
        .min()
        .orElseThrow();
  }

  private static List<String> series(List<RangePlot> plots) {
    return List.copyOf(
        new TreeSet<>(
            plots.stream()
                .flatMap(plot -> plot.rows.values().stream())
                .flatMap(row -> row.keySet().stream())
                .toList()));
  }

  /** The numbers from the tick below all values, and below 1, to the one above. */
  private static List<Double> scale(List<RangePlot> plots) {
    List<Range> all =
        plots.stream()
            .flatMap(plot -> plot.rows.values().stream())
            .flatMap(row -> row.values().stream())
            .toList();
    double low = all.stream().mapToDouble(Range::low).min().orElseThrow();
    double high = all.stream().mapToDouble(Range::high).max().orElseThrow();
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i < TICKS.length; i++) {
      boolean needed = i + 1 == TICKS.length || TICKS[i + 1] > Math.min(low, 0.99);
      if (needed && (i == 0 || TICKS[i - 1] < Math.max(high, 1.01))) {
        ticks.add(TICKS[i]);
      }
    }
    return ticks;
  }

  /** The image as it grows. Plots have their left edges where they are told. */
  private static final class Drawing {
    private final List<String> rows;
    private final List<String> series;
    private final List<Double> scale;
    private final int bottom;
    private final StringBuilder elements = new StringBuilder();

    Drawing(List<String> rows, List<String> series, List<Double> scale) {
      this.rows = rows;
      this.series = series;
      this.scale = scale;
      bottom = TOP + rows.size() * ROW_HEIGHT;
      for (int i = 0; i < rows.size(); i++) {
        text(LABEL_WIDTH - 8, TOP + i * ROW_HEIGHT + 15, "end", rows.get(i));
      }
      for (int i = 0; i < series.size(); i++) {
        int x = LABEL_WIDTH + i * 150;
        add("<circle cx='%d' cy='16' r='4' fill='%s'/>", x + 4, COLORS.get(i % COLORS.size()));
        text(x + 14, 20, "start", series.get(i));
      }
    }

    void plot(RangePlot plot, int left) {
      text(left, TOP - 12, "start", plot.title);
      for (double tick : scale) {
        double x = x(left, tick);
        add(
            "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='%s'/>",
            x, TOP, x, bottom, tick == 1 ? "#333333" : "#dddddd");
        text(x, bottom + 16, "middle", tick == (int) tick ? "" + (int) tick : "" + tick);
      }
      text(left + PLOT_WIDTH / 2.0, bottom + 36, "middle", plot.axis);
      for (int i = 0; i < rows.size(); i++) {
        Map<String, Range> row = plot.rows.getOrDefault(rows.get(i), Map.of());
        for (int j = 0; j < series.size(); j++) {
          if (row.containsKey(series.get(j))) {
            double y = TOP + ROW_HEIGHT * (i + (j + 1.0) / (series.size() + 1));
            range(left, y, row.get(series.get(j)), COLORS.get(j % COLORS.size()));
          }
        }
      }
    }

    private void range(int left, double y, Range range, String color) {
      add(
          "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='2'/>",
          x(left, range.low), y, x(left, range.high), y, color);
      add("<circle cx='%.1f' cy='%.1f' r='3.5' fill='%s'/>", x(left, range.middle), y, color);
    }

    private double x(int left, double value) {
      double first = Math.log(scale.get(0));
      double last = Math.log(scale.get(scale.size() - 1));
      return left + PLOT_WIDTH * (Math.log(value) - first) / (last - first);
    }

    private void text(double x, double y, String anchor, String text) {
      add(
          "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>",
          x, y, anchor, text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private void add(String format, Object... values) {
      elements.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    String end(int width) {
      return """
          <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' role='img'
            font-family='system-ui, sans-serif' font-size='12' fill='#333333'>
          <rect width='100%%' height='100%%' fill='#ffffff'/>
          %s</svg>
          """
          .formatted(width, bottom + BOTTOM, width, elements);
    }
  }
}
