package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap;
import java.util.List;
import java.util.Locale;

/** Who holds an allocator's memory, as text for people: thread heaps and allocation sites. */
public final class HoldersText {

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

  /** Returns all allocation sites, each with the stack trace of its oldest sample. */
  public static String of(LiveProfile profile) {
    if (!profile.isOn()) {
      return String.format("live buffers are not sampled: set the option sampleLive%n");
    }
    HoldersText all = new HoldersText();
    all.sites(profile, Integer.MAX_VALUE, true);
    return all.text.toString();
  }

  /** Returns the first thread heaps and sites, each table after an empty line. */
  static String first(int rows, Snapshot snapshot) {
    HoldersText some = new HoldersText();
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      List<ThreadHeap> heaps = snapshot.of(kind).byThreadHeap();
      if (!heaps.isEmpty()) {
        some.add("%n");
        some.threadHeaps(kind, heaps, rows);
      }
    }
    if (snapshot.profile().isOn()) {
      some.add("%n");
      some.sites(snapshot.profile(), rows, false);
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

  private void sites(LiveProfile profile, int most, boolean traces) {
    add("live buffers by allocation site, one sample per %,d bytes%n", profile.sampleBytes());
    add("%16s%12s%9s%12s  memory  site%n", "bytes", "buffers", "samples", "oldest s");
    List<LiveProfile.Site> sites = profile.sites();
    for (LiveProfile.Site site : sites.subList(0, Math.min(most, sites.size()))) {
      add(
          "%,16d%,12d%,9d%,12d  %-6s  %s%n",
          site.bytes(),
          site.buffers(),
          site.samples(),
          site.oldestMillis() / 1000,
          site.direct() ? Snapshot.Kind.DIRECT : Snapshot.Kind.HEAP,
          site.place());
      if (traces) {
        add("    the oldest, by thread \"%s\":%n", site.oldestThread());
        for (StackTraceElement frame : site.oldestTrace()) {
          add("      at %s%n", LiveProfile.Site.text(frame));
        }
      }
    }
    more(sites.size() - most);
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
