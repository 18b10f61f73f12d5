package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap;
import java.util.List;
import java.util.Locale;

/** Who holds an allocator's memory, as text for people. */
final class HoldersText {

  private final StringBuilder text = new StringBuilder();

  private HoldersText() {}

  /** Returns all thread heaps of both kinds of memory. */
  static String ofThreadHeaps(Snapshot snapshot) {
    HoldersText all = new HoldersText();
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      all.threadHeaps(kind, snapshot.of(kind).byThreadHeap(), Integer.MAX_VALUE);
    }
    return all.text.toString();
  }

  /** Returns the first thread heaps of each kind of memory, each table after an empty line. */
  static String first(int rows, Snapshot snapshot) {
    HoldersText some = new HoldersText();
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      List<ThreadHeap> heaps = snapshot.of(kind).byThreadHeap();
      if (!heaps.isEmpty()) {
        some.add("%n");
        some.threadHeaps(kind, heaps, rows);
      }
    }
    return some.text.toString();
  }

  private void threadHeaps(Snapshot.Kind kind, List<ThreadHeap> heaps, int most) {
    add("heaps by thread, %s memory%n%16s%16s  %-9s  thread%n", kind, "pages", "live", "state");
    for (ThreadHeap heap : heaps.subList(0, Math.min(most, heaps.size()))) {
      add(
          "%,16d%,16d  %-9s  %s%n",
          heap.pageBytes(), heap.liveBytes(), heap.state(), heap.thread());
    }
    more(heaps.size() - most);
  }

  private void more(int rows) {
    if (rows > 0) {
      add("%14s and %,d more%n", "...", rows);
    }
  }

  private void add(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments));
  }
}
