package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.trace.LifeCounts;
import io.github.mimalloc4j.microbench.trace.RecordedFacts;
import io.github.mimalloc4j.microbench.trace.ThreadRole;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Sentences about a recording: what it tells, and what it does not. */
final class RecordedText {
  private static final double PERCENT = 100;
  private static final double MIB = 1 << 20;

  private RecordedText() {}

  static List<String> facts(TraceSummary summary) {
    LifeCounts counts = summary.counts();
    RecordedFacts facts = summary.facts();
    List<String> lines = new ArrayList<>();
    lines.add(
        text(
            "File: %s; allocations by class of the allocator: %s.",
            facts.file(), facts.allocators()));
    lines.add(
        text(
            "Allocations: %,d, %,.0f a second, %.1f %% of direct memory. Releases: %,d."
                + " Reallocations: %,d. At most %.1f MiB were live.",
            counts.allocations(),
            counts.allocations() / Math.max(facts.seconds(), 1e-9),
            share(counts.direct(), counts.allocations()),
            counts.releases(),
            counts.reallocations(),
            counts.peakLiveBytes() / MIB));
    long located = counts.located();
    if (located > 0) {
      lines.add(
          text(
              "Releases by another thread than the one that allocated: %.2f %% (%,d of %,d).",
              share(counts.releasedByOthers(), located), counts.releasedByOthers(), located));
    }
    if (counts.withoutAddress() > 0) {
      lines.add(
          text(
              "Of buffers without an address at least %.2f %% (%,d of %,d).",
              share(counts.withoutAddressReleasedByOthers(), counts.withoutAddress()),
              counts.withoutAddressReleasedByOthers(),
              counts.withoutAddress()));
    }
    lines.add(
        text(
            "Garbage collections of the program meanwhile: %,d. Threads of the replay: %s.",
            facts.collections(), lanes(summary)));
    return lines;
  }

  private static String lanes(TraceSummary summary) {
    List<String> kinds = new ArrayList<>();
    for (ThreadRole role : ThreadRole.values()) {
      int count = Collections.frequency(summary.lanes(), role);
      if (count > 0) {
        kinds.add(Players.kind(role) + ": " + count);
      }
    }
    return String.join(", ", kinds);
  }

  /** What applies to this recording, and then what does to any. */
  static List<String> limits(TraceSummary summary) {
    LifeCounts counts = summary.counts();
    List<String> lines = new ArrayList<>();
    addIf(
        lines,
        summary.facts().lostBytes(),
        "Flight Recorder says that it dropped %,d bytes of events, 30 of which are one; it can be"
            + " more, for it does not notice all. These buffers are missing, or their ends are. More memory for it helps: jcmd PID JFR.configure"
            + " memorysize=100m, before the JVM's first recording, or a shorter one.");
    addIf(
        lines,
        counts.liveBefore(),
        "%,d buffers were live when the recording began. They are allocated at the beginning, by"
            + " the thread that released or reallocated them. Those that were live all the time"
            + " are not in the recording at all.");
    addIf(
        lines,
        counts.liveAtEnd(),
        "%,d buffers were still live at its end. They are released after what is measured.");
    addIf(
        lines,
        counts.missingReleases(),
        "At %,d addresses a buffer was allocated while another one was live: that one's release was"
            + " dropped. It is released then, by its last thread.");
    addIf(
        lines,
        counts.unknownReleases(),
        "%,d releases or reallocations were at an address where nothing was live any more: the"
            + " allocation was dropped. They are left out.");
    addIf(
        lines,
        counts.unfinishedReallocations(),
        "%,d reallocations have no new memory: it could not be obtained, or the event was dropped."
            + " They are replayed all the same.");
    addIf(
        lines,
        counts.withoutAddress(),
        "%,d buffers have no address: those of the Java heap, and with Netty's Pooled on Unsafe all"
            + " of them, for it tells the address that the object had before. Their releases are"
            + " taken for those of a buffer of the same shape, of the same thread if there is one:"
            + " how long each lived, and who released it, may differ.");
    addIf(
        lines,
        counts.grownInPlace(),
        "%,d buffers were larger in the end than was asked for, without a reallocation. When they"
            + " grew is not recorded: in the replay they do right after the allocation.");
    long threads = summary.threads().stream().mapToLong(group -> group.threads()).sum();
    if (threads > summary.lanes().size()) {
      lines.add(
          text(
              "%,d threads did something with buffers; the replay has %,d, each of which stands for"
                  + " threads that came one after the other. What a new thread costs an allocator is"
                  + " not in the figures.",
              threads, summary.lanes().size()));
    }
    if (summary.lanes().contains(ThreadRole.VIRTUAL)) {
      lines.add(
          Players.kind(ThreadRole.VIRTUAL) == ThreadKind.VIRTUAL
              ? "No JVM tells the processor time of virtual threads. In its place is the time of the"
                  + " clock that their operations took; upkeep between them is in neither figure."
              : "This JDK has no virtual threads: plain ones took their place. JDK 21 and newer have"
                  + " them.");
    }
    lines.add(
        "Events cost the program time, some 50 to 150 ns each, which is part of the processor time"
            + " that was recorded: the shares are a little too small for it.");
    lines.add(
        "Which thread was an event loop is told by its name, or by an allocator that kept memory for"
            + " it alone. What the program did with the bytes,"
            + " slices, retained references and the buffers of other allocators is not recorded.");
    return lines;
  }

  private static void addIf(List<String> lines, long count, String sentence) {
    if (count > 0) {
      lines.add(text(sentence, count));
    }
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0 : PERCENT * part / whole;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
