package io.github.mimalloc4j.microbench.page;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a chart shows. It goes into the page as JSON, field by field; the page's script turns it
 * into a drawing, and knows the looks of kinds, scales, allocators and measures.
 */
public final class Chart {
  enum Kind {
    /** Horizontal bars in groups; x is the number of the group, and a line shows the spread. */
    BARS,

    /** Lines through measured points, each of which has a line that shows its spread. */
    POINTS,

    /** Lines, with bands of the x-axis in the background. */
    LINES
  }

  public enum Scale {
    /** Equal differences are equally far apart. */
    LINEAR,

    /** The same for numbers without fractions. */
    WHOLE,

    /** Equal ratios are equally far apart; for numbers above 0. */
    LOGARITHMIC,

    /** The same in powers of two, for numbers of bytes. */
    BYTES
  }

  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MIB = 1 << 20;

  /** Hundredths are finer than a screen can show. */
  private static final double ROUNDING = 100;

  /** Named for what it counts, and the unit. */
  public record Axis(String name, Scale scale) {}

  /** Points have two numbers, or four with the lowest and the highest value. */
  private record Series(String name, List<double[]> points) {}

  private record Mark(String label, double value) {}

  private record Band(String label, double from, double to, boolean shaded) {}

  private final Kind kind;
  private final transient String caption;
  private final Axis x;
  private final Axis y;
  private final List<String> groups;
  private final List<Series> series = new ArrayList<>();
  private final List<Band> bands = new ArrayList<>();
  private @Nullable Mark mark;

  private Chart(Kind kind, String caption, Axis x, Axis y, List<String> groups) {
    this.kind = kind;
    this.caption = caption;
    this.x = x;
    this.y = y;
    this.groups = groups;
  }

  /** Bars, the lengths of which are a measure, in groups from top to bottom. */
  public static Chart bars(String caption, String measure, List<String> groups) {
    Axis x = new Axis("", Scale.WHOLE);
    return new Chart(Kind.BARS, caption, x, new Axis(measure, Scale.LINEAR), groups);
  }

  public static Chart points(String caption, Axis x, Axis y) {
    return new Chart(Kind.POINTS, caption, x, y, List.of());
  }

  public static Chart lines(String caption, Axis x, Axis y) {
    return new Chart(Kind.LINES, caption, x, y, List.of());
  }

  /** Returns a point of a line that shows MiB over seconds. */
  public static double[] memory(double seconds, long bytes) {
    return new double[] {rounded(seconds), rounded(bytes / MIB)};
  }

  /** Returns a place on an axis of seconds. */
  public static double seconds(long micros) {
    return rounded(micros / MICROS_PER_SECOND);
  }

  /** Rounds what a chart shows, so that its page is smaller. */
  public static double rounded(double value) {
    return Math.round(value * ROUNDING) / ROUNDING;
  }

  /** Adds what an allocator or a measure got; nothing, if there are no points. */
  public Chart series(String name, List<double[]> points) {
    if (!points.isEmpty()) {
      series.add(new Series(name, points));
    }
    return this;
  }

  /** Draws a line where y has a value, to compare the others to. */
  public Chart mark(String label, double value) {
    mark = new Mark(label, value);
    return this;
  }

  /** Names a part of the x-axis, and shades it or not. */
  public Chart band(String label, double from, double to, boolean shaded) {
    bands.add(new Band(label, from, to, shaded));
    return this;
  }

  String caption() {
    return caption;
  }

  public boolean isEmpty() {
    return series.isEmpty();
  }
}
