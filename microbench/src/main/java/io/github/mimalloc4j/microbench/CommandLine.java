package io.github.mimalloc4j.microbench;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of one command: {@code --name value}, {@code --name=value} and flags. */
final class CommandLine {
  private static final String FLAG_SET = "";

  private final Map<String, String> options = new HashMap<>();

  private CommandLine() {}

  /**
   * Reads a command's arguments.
   *
   * @param args the arguments
   * @param valued names of the options that take a value, dashes included
   * @param flags names of the options that take none
   */
  static CommandLine parse(List<String> args, Set<String> valued, Set<String> flags)
      throws UsageException {
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
      } else if (!valued.contains(name)) {
        throw new UsageException(
            (arg.startsWith("-") ? "unknown option " : "unexpected argument ") + name);
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

  boolean flag(String name) {
    return options.containsKey(name);
  }

  String value(String name, String otherwise) {
    return options.getOrDefault(name, otherwise);
  }

  /** The value of an option that must be there. */
  String required(String name) throws UsageException {
    @Nullable String value = options.get(name);
    if (value == null) {
      throw new UsageException(name + " is missing");
    }
    return value;
  }

  int intValue(String name, int otherwise, int min, int max) throws UsageException {
    return options.containsKey(name) ? requiredInt(name, min, max) : otherwise;
  }

  int requiredInt(String name, int min, int max) throws UsageException {
    String value = required(name);
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, in the same words as a number out of range.
    }
    throw new UsageException(
        name + " must be a whole number from " + min + " to " + max + ", not '" + value + "'");
  }

  /** The value of an option that names a constant, in lower or upper case. */
  <E extends Enum<E>> E requiredChoice(String name, Class<E> type) throws UsageException {
    String value = required(name);
    E[] constants = type.getEnumConstants();
    for (E constant : constants) {
      if (constant.name().equalsIgnoreCase(value)) {
        return constant;
      }
    }
    String choices =
        Arrays.stream(constants)
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    throw new UsageException(name + " must be one of " + choices + ", not '" + value + "'");
  }
}
