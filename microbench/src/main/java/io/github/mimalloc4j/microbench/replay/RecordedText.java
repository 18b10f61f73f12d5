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
import java.util.Map;
import java.util.stream.Collectors;

/** Sentences about a recording: its facts and its limits. */
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
            "File: %s. Allocators with numbers of allocations: %s.",
            facts.file(), allocators(facts.allocators())));
    lines.add(
        text(
            "Allocations: %,d, %,.0f per second, %.1f %% of direct memory. Releases: %,d."
                + " Reallocations: %,d. Peak of live memory: %.1f MiB.",
            counts.allocations(),
            counts.allocations() / Math.max(facts.seconds(), 1e-9),
            share(counts.direct(), counts.allocations()),
            counts.releases(),
            counts.reallocations(),
            counts.peakLiveBytes() / MIB));
    if (summary.released() > 0) {
      lines.add(
          text(
              "Released by a thread other than the allocating one: %s%.2f %% (%,d of %,d).",
              counts.withoutAddress() > 0 ? "at least " : "",
              share(summary.releasedByOthers(), summary.released()),
              summary.releasedByOthers(),
              summary.released()));
    }
    lines.add(
        text(
            "Garbage collections during the recording: %,d. Threads of the replay: %s.",
            facts.collections(), lanes(summary)));
    return lines;
  }

  private static String allocators(Map<String, Long> allocations) {
    return allocations.isEmpty()
        ? "unknown"
        : allocations.entrySet().stream()
            .map(one -> text("%s %,d", one.getKey(), one.getValue()))
            .collect(Collectors.joining(", "));
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

  /** The limits of this recording, then those of any. */
  static List<String> limits(TraceSummary summary) {
    LifeCounts counts = summary.counts();
    List<String> lines = new ArrayList<>();
    addIf(
        lines,
        summary.facts().lostBytes(),
        "Flight Recorder reports that it dropped at least %,d bytes of events, about 30 bytes each."
            + " Those buffers or their releases are missing. Make a shorter recording, or run jcmd"
            + " PID JFR.configure memorysize=100m before the JVM's first recording.");
    addIf(
        lines,
        counts.liveBefore(),
        "Buffers that were live when the recording began: %,d. The replay allocates them before the"
            + " measurement, on the thread that released or reallocated them. Buffers that were"
            + " live throughout are not in the recording.");
    addIf(
        lines,
        counts.liveAtEnd(),
        "Buffers that were live when it ended: %,d. They are released after the measurement.");
    addIf(
        lines,
        counts.missingReleases(),
        "Buffers allocated at the address of one that was still live: %,d. The release of the"
            + " earlier buffer was dropped; its last thread releases it at that time.");
    addIf(
        lines,
        counts.unknownReleases(),
        "Releases or reallocations at an address without a live buffer: %,d. The allocation was"
            + " dropped, so they are left out.");
    addIf(
        lines,
        counts.withoutAddress(),
        "Buffers without an address: %,d. These are heap buffers and, if Netty's Pooled uses"
            + " Unsafe, all of its buffers, because it records the previous address of the object."
            + " A release is matched with a buffer of the same size and kind, of the same thread if"
            + " possible, so lifetimes and releasing threads may be wrong.");
    if (summary.threads() > summary.lanes().size()) {
      lines.add(
          text(
              "Threads that used buffers: %,d. The replay has %,d, which may each replace several"
                  + " threads that ran one after the other (if there were more than 64 of a kind,"
                  + " also at the same time), so the cost of new threads is not in the figures.",
              summary.threads(), summary.lanes().size()));
    }
    if (summary.lanes().contains(ThreadRole.VIRTUAL)) {
      lines.add(
          Players.kind(ThreadRole.VIRTUAL) == ThreadKind.VIRTUAL
              ? "No JVM reports the processor time of virtual threads. Their figures are the"
                  + " elapsed time of their operations, without upkeep between them."
              : "This JDK has no virtual threads, so plain threads replaced them. JDK 21 and newer"
                  + " have them.");
    }
    lines.add(
        "Recording took some of the program's processor time, 50 to 150 ns per event, so the shares"
            + " are slightly too small.");
    lines.add(
        "Event loops are recognized by the name of the thread, or by memory that the allocator kept"
            + " for the thread alone. Access to the bytes, slices, retained references, the time of"
            + " growth within the same memory and buffers of other allocators are not recorded.");
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
