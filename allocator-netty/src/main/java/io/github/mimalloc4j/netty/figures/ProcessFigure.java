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
      "mimalloc4j.process.resident",
      ProcessStatistics::resident,
      "Resident memory of the process, in bytes"),
  NATIVE_HEAP_TRIMS(
      "mimalloc4j.native.heap.trims",
      ProcessStatistics::nativeHeapTrims,
      "Requests to the C library to return freed memory"),
  NATIVE_HEAP_TRIMMED(
      "mimalloc4j.native.heap.trimmed",
      ProcessStatistics::nativeHeapTrimmed,
      "Resident bytes returned by these requests");

  /** The value of a figure that could not be read, for example without a free file handle. */
  public static final long UNKNOWN = -1;

  private final String meter;

  @SuppressWarnings("ImmutableEnumChecker") // The functions are stateless.
  private final ToLongFunction<ProcessStatistics> reading;

  private final String description;

  ProcessFigure(String meter, ToLongFunction<ProcessStatistics> reading, String description) {
    this.meter = meter;
    this.reading = reading;
    this.description = description;
  }

  /** Returns the figures that are known in a snapshot: those that the system provides. */
  public static List<ProcessFigure> known(ProcessStatistics process) {
    return Arrays.stream(values()).filter(figure -> figure.of(process) != UNKNOWN).toList();
  }

  public long of(ProcessStatistics process) {
    return reading.applyAsLong(process);
  }

  public String description() {
    return description;
  }

  /** Returns the name of the figure's attribute in a management bean. */
  public String attribute() {
    String name = Figure.upperFirst(Figure.camelCase(this));
    return this == NATIVE_HEAP_TRIMS ? name : name + "Bytes";
  }

  public String meter() {
    return meter;
  }
}
