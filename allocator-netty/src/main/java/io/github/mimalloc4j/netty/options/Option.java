package io.github.mimalloc4j.netty.options;

import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.SystemPropertyUtil;
import io.netty.util.internal.logging.InternalLogLevel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * An option of an allocator: a system property and a builder method with the same name. The
 * property is read once and logged at debug level with its effective value. A value that is invalid
 * or out of range causes a warning, and the default is used.
 *
 * @param <T> {@link Long} or {@link Boolean}
 */
public final class Option<T> {

  public static final String PREFIX = "io.netty.allocator.mimalloc.";

  /** The properties of all options. */
  private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

  /** The multiples of {@code step} from {@code min} to {@code max}. */
  private record Range(long min, long max, long step) {

    boolean contains(long number) {
      return number >= min && number <= max && number % step == 0;
    }

    @Override
    public String toString() {
      return step == 1
          ? "a number from " + min + " to " + max
          : "a multiple of " + step + " from " + min + " to " + max;
    }
  }

  private final String name;

  /** Null for a flag. */
  private final @Nullable Range range;

  private final T value;
  private final boolean isSet;

  private Option(String name, T defaultValue, @Nullable Range range) {
    this.name = name;
    this.range = range;
    T read = read(defaultValue);
    isSet = read != null;
    T effective = read != null ? read : defaultValue;
    AllocatorLogger.log(InternalLogLevel.DEBUG, "-D{}{}: {}", PREFIX, name, effective);
    value = effective;
  }

  static Option<Long> number(String name, long defaultValue, long min, long max) {
    return new Option<>(name, defaultValue, new Range(min, max, 1));
  }

  /** Creates an option that is a positive {@code int} and a multiple of {@code step}. */
  static Option<Long> multiple(String name, long defaultValue, int step) {
    return new Option<>(name, defaultValue, new Range(step, Integer.MAX_VALUE - step + 1, step));
  }

  static Option<Boolean> flag(String name, boolean defaultValue) {
    return new Option<>(name, defaultValue, null);
  }

  /** Returns the value of the system property, or the default if it is not set or invalid. */
  public T value() {
    return value;
  }

  /** Returns whether {@link #value} is that of the system property. */
  boolean isSet() {
    return isSet;
  }

  /**
   * Checks a value that a program sets.
   *
   * @throws IllegalArgumentException if it is out of range; the message names the option
   */
  void check(Object given) {
    if (range != null && !range.contains((Long) given)) {
      throw new IllegalArgumentException(name + ": " + given + " (expected: " + range + ')');
    }
  }

  /** Returns whether an option with that property was created. */
  static boolean isKnown(String property) {
    return KNOWN.contains(property);
  }

  /** Reads the system property; null if it is not set or invalid. */
  private @Nullable T read(T defaultValue) {
    KNOWN.add(PREFIX + name);
    String text = SystemPropertyUtil.get(PREFIX + name);
    if (text == null) {
      return null;
    }
    T read = parse(text.trim());
    if (read == null) {
      Object expected = range != null ? range : "true or false";
      AllocatorLogger.log(
          InternalLogLevel.WARN,
          "-D{}{}={} is not {}; using the default, {}",
          PREFIX,
          name,
          text,
          expected,
          defaultValue);
    }
    return read;
  }

  /** Returns null if the text is not a valid value. */
  @SuppressWarnings("unchecked") // a number has a range, a flag has none
  private @Nullable T parse(String text) {
    if (range == null) {
      boolean on = text.equalsIgnoreCase("true");
      return on || text.equalsIgnoreCase("false") ? (T) (Object) on : null;
    }
    try {
      Long number = Long.valueOf(text);
      return range.contains(number) ? (T) number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
