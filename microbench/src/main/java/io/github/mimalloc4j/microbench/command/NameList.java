package io.github.mimalloc4j.microbench.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.TypeConversionException;

/** Comma-separated names of different things, as the value of an option. */
public final class NameList {
  private NameList() {}

  /**
   * Reads such a value.
   *
   * @param named finds what has a name, or throws
   * @return in the order of the names
   * @throws TypeConversionException if one is named twice
   */
  public static <T> List<T> parse(String text, Function<String, T> named) {
    List<T> all = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      T one = named.apply(name);
      if (all.contains(one)) {
        throw new TypeConversionException(name + " is named twice");
      }
      all.add(one);
    }
    return all;
  }
}
