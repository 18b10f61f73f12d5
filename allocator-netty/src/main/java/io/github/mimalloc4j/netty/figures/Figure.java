package io.github.mimalloc4j.netty.figures;

import static io.github.mimalloc4j.netty.figures.Figure.Group.BYTES;
import static io.github.mimalloc4j.netty.figures.Figure.Group.COUNTS;
import static io.github.mimalloc4j.netty.figures.Figure.Group.THREAD_HEAPS;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one kind of memory, in display order. Text, JSON, management beans and meters are
 * generated from this list. To add a figure, add a component to {@link MemoryStatistics} and a
 * constant here. All its names derive from the constant's: {@code LARGE_ALLOCATIONS} becomes {@code
 * large allocations}, {@code largeAllocations}, {@code LargeAllocations} and {@code
 * mimalloc4j.large.allocations}.
 */
public enum Figure {
  USED(BYTES, m -> m.bytes().used(), "Bytes obtained from the system and not given back"),
  LIVE(BYTES, USED, m -> m.bytes().live(), "Bytes of all blocks in use, counted by block size"),
  LARGE(
      BYTES,
      LIVE,
      m -> m.bytes().large(),
      "Live bytes of large blocks, which have their own run of slices"),
  HUGE(
      BYTES,
      LIVE,
      m -> m.bytes().huge(),
      "Live bytes of huge blocks, which have their own segment"),
  RETAINED(BYTES, USED, m -> m.bytes().retained(), "Bytes used but not live: cached plus free"),
  CACHED(BYTES, RETAINED, m -> m.bytes().cached(), "Bytes of pages not taken by live blocks"),
  FREE(
      BYTES,
      RETAINED,
      m -> m.bytes().free(),
      "Bytes of segments not taken by pages or large blocks"),

  OWNED(
      THREAD_HEAPS,
      m -> m.threadHeaps().owned(),
      "Thread heaps owned by threads of event executors"),
  SHARED(THREAD_HEAPS, m -> m.threadHeaps().shared(), "Thread heaps shared by all other threads"),
  ABANDONED(THREAD_HEAPS, m -> m.threadHeaps().abandoned(), "Thread heaps whose owner ended"),

  ALLOCATIONS(COUNTS, m -> m.counts().allocations(), "Blocks handed out"),
  LARGE_ALLOCATIONS(
      COUNTS, ALLOCATIONS, m -> m.counts().largeAllocations(), "Large blocks handed out"),
  HUGE_ALLOCATIONS(
      COUNTS, ALLOCATIONS, m -> m.counts().hugeAllocations(), "Huge blocks handed out"),
  DEFERRED_RELEASES(
      COUNTS,
      m -> m.counts().deferredReleases(),
      "Blocks released by threads that were not using the blocks' heap, or with several"
          + " references at once"),
  COLLECTS(COUNTS, m -> m.counts().collects(), "Collections of a page's deferred releases"),
  ADOPTIONS(
      COUNTS, m -> m.counts().adoptions(), "Thread heaps taken over from threads that had ended"),
  SEGMENTS_OBTAINED(
      COUNTS, m -> m.counts().segmentsObtained(), "Segments obtained from the system"),
  SEGMENTS_PURGED(COUNTS, m -> m.counts().segmentsPurged(), "Segments given back to the system"),
  DOUBLE_RELEASES(
      COUNTS,
      m -> m.counts().doubleReleases(),
      "Concurrent double releases caught: errors in the program"),
  OUT_OF_MEMORY_RETRIES(
      COUNTS,
      m -> m.counts().outOfMemoryRetries(),
      "Allocations retried after a trim because memory ran out");

  /** Figures with the same unit. */
  public enum Group {
    BYTES("bytes"),
    THREAD_HEAPS("thread heaps"),
    COUNTS("counts since the start");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    /** Returns the title above the group's figures in text. */
    String title() {
      return title;
    }

    /** Returns the group's figures, in display order. */
    List<Figure> figures() {
      return Arrays.stream(Figure.values()).filter(figure -> figure.group == this).toList();
    }
  }

  private static final Pattern NEXT_WORD = Pattern.compile("_(.)");

  private final Group group;
  private final @Nullable Figure partOf;

  @SuppressWarnings("ImmutableEnumChecker") // The functions are stateless.
  private final ToLongFunction<MemoryStatistics> reading;

  private final String description;

  Figure(Group group, ToLongFunction<MemoryStatistics> reading, String description) {
    this(group, null, reading, description);
  }

  /** Creates a figure that is part of another one. */
  Figure(
      Group group,
      @Nullable Figure partOf,
      ToLongFunction<MemoryStatistics> reading,
      String description) {
    this.group = group;
    this.partOf = partOf;
    this.reading = reading;
    this.description = description;
  }

  public long of(MemoryStatistics memory) {
    return reading.applyAsLong(memory);
  }

  public Group group() {
    return group;
  }

  public String description() {
    return description;
  }

  /** Returns the number of figures that enclose this one. */
  int depth() {
    return partOf == null ? 0 : partOf.depth() + 1;
  }

  /** Returns the name of the figure's attribute in a management bean. */
  public String attribute() {
    String name = upperFirst(camelCase(this));
    return group == COUNTS ? name : name + upperFirst(camelCase(group));
  }

  /** Returns the name of the figure's meter. Thread heaps share one meter and differ in a tag. */
  public String meter() {
    return "mimalloc4j."
        + switch (group) {
          case BYTES -> "memory." + words(this, '.');
          case THREAD_HEAPS -> words(group, '.');
          case COUNTS -> words(this, '.');
        };
  }

  /** Returns a constant's name in lower case, with the given separator between words. */
  public static String words(Enum<?> constant, char separator) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', separator);
  }

  /** Returns a constant's name in camel case. */
  public static String camelCase(Enum<?> constant) {
    return NEXT_WORD
        .matcher(words(constant, '_'))
        .replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
  }

  static String upperFirst(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
