package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one kind of memory, in the order in which they are shown. Text, JSON, management
 * beans and meters are made from this list. A new figure is a component of {@link MemoryStatistics}
 * and a constant here, from whose name all its names follow: {@code LARGE_ALLOCATIONS} is {@code
 * large allocations}, {@code largeAllocations}, {@code LargeAllocations} and {@code
 * mimalloc4j.large.allocations}.
 */
public enum Figure {
  USED(Group.BYTES, null, m -> m.bytes().used(), "Obtained from the system and not given back"),
  LIVE(Group.BYTES, USED, m -> m.bytes().live(), "Blocks that buffers have, in their whole size"),
  LARGE(Group.BYTES, LIVE, m -> m.bytes().large(), "Blocks that share a segment but no page"),
  HUGE(Group.BYTES, LIVE, m -> m.bytes().huge(), "Blocks with a segment of their own"),
  RETAINED(Group.BYTES, USED, m -> m.bytes().retained(), "Used and not live: cached and free"),
  CACHED(Group.BYTES, RETAINED, m -> m.bytes().cached(), "What is not live in pages"),
  FREE(Group.BYTES, RETAINED, m -> m.bytes().free(), "Parts of segments that nobody has"),

  OWNED(
      Group.THREAD_HEAPS,
      null,
      m -> m.threadHeaps().owned(),
      "Thread heaps of threads of event executors"),
  SHARED(
      Group.THREAD_HEAPS,
      null,
      m -> m.threadHeaps().shared(),
      "Thread heaps that all other threads share"),
  ABANDONED(
      Group.THREAD_HEAPS, null, m -> m.threadHeaps().abandoned(), "Thread heaps whose owner ended"),

  ALLOCATIONS(Group.COUNTS, null, m -> m.counts().allocations(), "Blocks handed out"),
  LARGE_ALLOCATIONS(
      Group.COUNTS,
      ALLOCATIONS,
      m -> m.counts().largeAllocations(),
      "Blocks handed out that share a segment but no page"),
  HUGE_ALLOCATIONS(
      Group.COUNTS,
      ALLOCATIONS,
      m -> m.counts().hugeAllocations(),
      "Blocks handed out with a segment of their own"),
  DEFERRED_RELEASES(
      Group.COUNTS,
      null,
      m -> m.counts().deferredReleases(),
      "Blocks that others than the owner of their thread heap released"),
  COLLECTS(
      Group.COUNTS,
      null,
      m -> m.counts().collects(),
      "How often a thread heap took deferred releases back from a page"),
  ADOPTIONS(
      Group.COUNTS,
      null,
      m -> m.counts().adoptions(),
      "Thread heaps taken over from threads that had ended"),
  SEGMENTS_OBTAINED(
      Group.COUNTS, null, m -> m.counts().segmentsObtained(), "Segments obtained from the system"),
  SEGMENTS_PURGED(
      Group.COUNTS, null, m -> m.counts().segmentsPurged(), "Segments given back to the system"),
  DOUBLE_RELEASES(
      Group.COUNTS,
      null,
      m -> m.counts().doubleReleases(),
      "Racing double releases that were caught: errors of the program"),
  OUT_OF_MEMORY_RETRIES(
      Group.COUNTS,
      null,
      m -> m.counts().outOfMemoryRetries(),
      "Allocations that found no memory and were tried again after a trim");

  /** Figures that are read alike. */
  public enum Group {
    BYTES("bytes"),
    THREAD_HEAPS("thread heaps"),
    COUNTS("counts since the start");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    /** The title above its figures, for people. */
    String title() {
      return title;
    }

    /** Its figures, in their order. */
    List<Figure> figures() {
      return Arrays.stream(Figure.values()).filter(figure -> figure.group == this).toList();
    }
  }

  private static final Pattern NEXT_WORD = Pattern.compile("_(.)");

  private final Group group;
  private final @Nullable Figure whole;

  @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
  private final ToLongFunction<MemoryStatistics> reading;

  private final String description;

  Figure(
      Group group,
      @Nullable Figure whole,
      ToLongFunction<MemoryStatistics> reading,
      String description) {
    this.group = group;
    this.whole = whole;
    this.reading = reading;
    this.description = description;
  }

  /** The figure's value in a snapshot. */
  public long of(MemoryStatistics memory) {
    return reading.applyAsLong(memory);
  }

  public Group group() {
    return group;
  }

  public String description() {
    return description;
  }

  /** How many figures it is a part of. */
  int depth() {
    return whole == null ? 0 : whole.depth() + 1;
  }

  /** The name of its attribute in a management bean. */
  public String attribute() {
    String name = upperFirst(camelCase(this));
    return group == Group.COUNTS ? name : name + upperFirst(camelCase(group));
  }

  /** The name of its meter; those of thread heaps share one and differ in a tag. */
  public String meter() {
    return "mimalloc4j."
        + switch (group) {
          case BYTES -> "memory." + words(this, '.');
          case THREAD_HEAPS -> words(group, '.');
          case COUNTS -> words(this, '.');
        };
  }

  /** A constant's name in lower case, with something between its words. */
  public static String words(Enum<?> constant, char separator) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', separator);
  }

  /** A constant's name as a field would have it. */
  public static String camelCase(Enum<?> constant) {
    return NEXT_WORD
        .matcher(words(constant, '_'))
        .replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
  }

  private static String upperFirst(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
