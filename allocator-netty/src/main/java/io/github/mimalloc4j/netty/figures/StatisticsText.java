package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import java.util.Locale;

/** An allocator's figures as a page of text for people. */
public final class StatisticsText {

  /** The maximum number of rows in each table of who holds memory. */
  private static final int MOST_HOLDERS = 10;

  private final StringBuilder text = new StringBuilder();

  private StatisticsText() {}

  public static String of(Snapshot snapshot) {
    StatisticsText page = new StatisticsText();
    for (Figure.Group group : Figure.Group.values()) {
      page.figures(group, snapshot);
    }
    page.process(snapshot.process());
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      if (!snapshot.of(kind).sizeClasses().isEmpty()) {
        page.sizeClasses(kind, snapshot);
      }
    }
    page.text.append(HoldersText.first(MOST_HOLDERS, snapshot));
    return page.text.toString();
  }

  private void figures(Figure.Group group, Snapshot snapshot) {
    text.append(text.isEmpty() ? "" : System.lineSeparator());
    add("%-28s", group.title());
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      add(" %19s", kind);
    }
    add("%n");
    for (Figure figure : group.figures()) {
      add("%-28s", "  ".repeat(figure.depth()) + Figure.words(figure, ' '));
      for (Snapshot.Kind kind : Snapshot.Kind.values()) {
        add(" %,19d", figure.of(snapshot.of(kind)));
      }
      add("%n");
    }
  }

  private void process(ProcessStatistics process) {
    add("%n%-48s%n", "process");
    for (ProcessFigure figure : ProcessFigure.known(process)) {
      add("%-28s %,19d%n", Figure.words(figure, ' '), figure.of(process));
    }
    add("native heap trimming: %s%n", process.nativeHeapTrimming());
  }

  private void sizeClasses(Snapshot.Kind kind, Snapshot snapshot) {
    add("%nsize classes, %s memory%n", kind);
    for (SizeClassFigure figure : SizeClassFigure.values()) {
      add("%14s", Figure.words(figure, ' '));
    }
    add("%n");
    for (SizeClass row : snapshot.of(kind).sizeClasses()) {
      for (SizeClassFigure figure : SizeClassFigure.values()) {
        add("%,14d", figure.of(row));
      }
      add("%n");
    }
  }

  private void add(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments));
  }
}
