package io.github.mimalloc4j.microbench;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of one command: {@code --name value}, {@code --name=value} and flags. */
public final class CommandLine {
  private static final String FLAG_SET = "";
  private static final String ALL = "all";

  private final Map<String, String> options = new HashMap<>();

  private final List<String> operands = new ArrayList<>();

  private CommandLine() {}

  /**
   * Reads a command's arguments.
   *
   * @param args the arguments
   * @param valued names of the options that take a value, dashes included
   * @param flags names of the options that take none
   */
  public static CommandLine parse(List<String> args, Set<String> valued, Set<String> flags)
      throws UsageException {
    CommandLine line = parseWithOperands(args, valued, flags);
    if (!line.operands.isEmpty()) {
      throw new UsageException("unexpected argument " + line.operands.get(0));
    }
    return line;
  }

  /** Reads the arguments of a command that takes others than options, too: {@link #operands}. */
  public static CommandLine parseWithOperands(
      List<String> args, Set<String> valued, Set<String> flags) throws UsageException {
    CommandLine line = new CommandLine();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
      String name = equals < 0 ? arg : arg.substring(0, equals);
      String value;
      if (flags.contains(name)) {
        if (equals >= 0) {
          throw new UsageException(name + " takes no value");
        }
        value = FLAG_SET;
      } else if (!arg.startsWith("-")) {
        line.operands.add(arg);
        continue;
      } else if (!valued.contains(name)) {
        throw new UsageException("unknown option " + name);
      } else if (equals >= 0) {
        value = arg.substring(equals + 1);
      } else if (i + 1 < args.size() && !args.get(i + 1).startsWith("--")) {
        value = args.get(++i);
      } else {
        throw new UsageException(name + " needs a value");
      }
      if (value.isEmpty() && !flags.contains(name)) {
        throw new UsageException(name + " needs a value");
      }
      if (line.options.put(name, value) != null) {
        throw new UsageException(name + " is given twice");
      }
    }
    return line;
  }

  /** The arguments that are no options, in their order. */
  public List<String> operands() {
    return operands;
  }

  /** Whether a flag is set. */
  public boolean flag(String name) {
    return options.containsKey(name);
  }

  /** The value of an option, or another one if it is not there. */
  public String value(String name, String otherwise) {
    return options.getOrDefault(name, otherwise);
  }

  /** The value of an option that must be there. */
  public String required(String name) throws UsageException {
    @Nullable String value = options.get(name);
    if (value == null) {
      throw new UsageException(name + " is missing");
    }
    return value;
  }

  /** The value of an option that is a whole number. */
  public int intValue(String name, int otherwise, int min, int max) throws UsageException {
    return options.containsKey(name) ? requiredInt(name, min, max) : otherwise;
  }

  /** The value of an option that must be there and is a whole number. */
  public int requiredInt(String name, int min, int max) throws UsageException {
    return (int) requiredLong(name, min, max);
  }

  /** As {@link #intValue}, for large numbers. */
  public long longValue(String name, long otherwise, long min, long max) throws UsageException {
    return options.containsKey(name) ? requiredLong(name, min, max) : otherwise;
  }

  private long requiredLong(String name, long min, long max) throws UsageException {
    String value = required(name);
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, in the same words as a number out of range.
    }
    throw new UsageException(
        name + " must be a whole number from " + min + " to " + max + ", not '" + value + "'");
  }

  /** The value of an option that is a number with or without decimals. */
  public BigDecimal decimalValue(String name, BigDecimal otherwise, BigDecimal min, BigDecimal max)
      throws UsageException {
    if (!options.containsKey(name)) {
      return otherwise;
    }
    String value = required(name);
    try {
      BigDecimal number = new BigDecimal(value);
      if (number.compareTo(min) >= 0 && number.compareTo(max) <= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, in the same words as a number out of range.
    }
    throw new UsageException(
        name + " must be a number from " + min + " to " + max + ", not '" + value + "'");
  }

  /** The value of an option that names a constant, in lower or upper case. */
  public <E extends Enum<E>> E requiredChoice(String name, Class<E> type) throws UsageException {
    String value = required(name);
    @Nullable E constant = find(type, value);
    if (constant == null) {
      throw new UsageException(name + " must be one of " + choices(type) + ", not '" + value + "'");
    }
    return constant;
  }

  /**
   * The value of an option that names constants with commas in between, or says {@code all}.
   *
   * @param all what {@code all} means, and an option that is not there
   */
  public <E extends Enum<E>> List<E> someOf(String name, Class<E> type, List<E> all)
      throws UsageException {
    String value = value(name, ALL);
    if (value.equalsIgnoreCase(ALL)) {
      return all;
    }
    List<E> some = new ArrayList<>();
    for (String word : value.split(",", -1)) {
      @Nullable E constant = find(type, word);
      if (constant == null) {
        throw new UsageException(
            name + " must be all, or some of " + choices(type) + ", not '" + word + "'");
      }
      if (some.contains(constant)) {
        throw new UsageException(name + " names " + word + " twice");
      }
      some.add(constant);
    }
    return some;
  }

  /**
   * The value of an option that names a file to write. That it can be written is found out before
   * minutes of measuring, not after them.
   */
  public Path outputFile(String name, String otherwise) throws UsageException {
    Path output = Path.of(value(name, otherwise));
    Path folder = output.toAbsolutePath().getParent();
    boolean possible =
        Files.exists(output)
            ? Files.isRegularFile(output) && Files.isWritable(output)
            : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    if (!possible) {
      throw new UsageException(name + " " + output + " cannot be written");
    }
    return output;
  }

  private static <E extends Enum<E>> @Nullable E find(Class<E> type, String word) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(word)) {
        return constant;
      }
    }
    return null;
  }

  private static <E extends Enum<E>> String choices(Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> constant.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
