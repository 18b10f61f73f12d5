package io.github.mimalloc4j.microbench.result;

import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An operation, and what it takes with each allocator.
 *
 * @param topic what it has in common with others
 * @param work what it does, in the words of a table; no other of the topic does the same
 * @param benchmark its name in JMH
 * @param parameters what may be the axis of a chart
 * @param costs by the allocator's name
 */
public record Operation(
    String topic,
    String work,
    String benchmark,
    Map<String, String> parameters,
    Map<String, Cost> costs) {
  /**
   * What it takes with one allocator.
   *
   * @param nanos time of an operation
   * @param ratio the time divided by that with mimalloc4j; null if there is none to divide by
   * @param used bytes that the allocator held at most; null if nobody measured them
   * @param garbage bytes of Java objects that an operation made; null if nobody measured them
   */
  public record Cost(
      double nanos, @Nullable Spread ratio, @Nullable Double used, @Nullable Double garbage) {}

  /** Parameters in words. */
  public static String words(Map<String, String> parameters) {
    return parameters.entrySet().stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
