package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The figures of the process, as {@link Figure} lists those of one kind of memory. A figure that
 * the system does not provide is omitted from all output.
 */
public enum ProcessFigure {
  RESIDENT(
      Kind.BYTES,
      "mimalloc4j.process.resident",
      ProcessStatistics::resident,
      "Resident memory of the process, in bytes"),
  NATIVE_HEAP_TRIMS(
      Kind.COUNT,
      "mimalloc4j.native.heap.trims",
      ProcessStatistics::nativeHeapTrims,
      "Requests to the C library to return freed memory"),
  NATIVE_HEAP_TRIMMED(
      Kind.COUNT_OF_BYTES,
      "mimalloc4j.native.heap.trimmed",
      ProcessStatistics::nativeHeapTrimmed,
      "Resident bytes returned by these requests");

  /** What a figure counts, and whether it may decrease: a count does not. */
  public enum Kind {
    BYTES,
    COUNT,
    COUNT_OF_BYTES
  }

  private final Kind kind;
  private final String meter;

  @SuppressWarnings("ImmutableEnumChecker") // The functions are stateless.
  private final ToLongFunction<ProcessStatistics> reading;

  private final String description;

  ProcessFigure(
      Kind kind, String meter, ToLongFunction<ProcessStatistics> reading, String description) {
    this.kind = kind;
    this.meter = meter;
    this.reading = reading;
    this.description = description;
  }

  /** Returns the figures that are known in a snapshot: those that the system provides. */
  public static List<ProcessFigure> known(ProcessStatistics process) {
    return Arrays.stream(values())
        .filter(figure -> figure.of(process) != ProcessStatistics.UNKNOWN)
        .toList();
  }

  public long of(ProcessStatistics process) {
    return reading.applyAsLong(process);
  }

  public Kind kind() {
    return kind;
  }

  public String description() {
    return description;
  }

  /** Returns the name of the figure's attribute in a management bean. */
  public String attribute() {
    String name = Figure.upperFirst(Figure.camelCase(this));
    return kind == Kind.COUNT ? name : name + "Bytes";
  }

  public String meter() {
    return meter;
  }
}
