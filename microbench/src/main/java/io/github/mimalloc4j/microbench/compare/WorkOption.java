package io.github.mimalloc4j.microbench.compare;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of the option that names work to compare allocators by.
 *
 * @param rows in the order in which they are measured
 */
record WorkOption(List<CompareRow> rows) {
  /** Reads comma-separated names of rows, {@code main} or {@code all}. */
  static final class Converter implements ITypeConverter<WorkOption> {
    @Override
    public WorkOption convert(String text) {
      return switch (text) {
        case "main" -> new WorkOption(CompareRow.MAIN);
        case "all" -> new WorkOption(CompareRow.all());
        default -> new WorkOption(named(text));
      };
    }

    private static List<CompareRow> named(String names) {
      List<CompareRow> rows = new ArrayList<>();
      for (String name : names.split(",", -1)) {
        CompareRow row = rowNamed(name);
        if (rows.contains(row)) {
          throw new TypeConversionException(name + " is named twice");
        }
        rows.add(row);
      }
      return rows;
    }

    private static CompareRow rowNamed(String name) {
      return CompareRow.all().stream()
          .filter(row -> row.optionName().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "expected main, all, or some of %s, not '%s'"
                          .formatted(
                              CompareRow.all().stream().map(CompareRow::optionName).toList(),
                              name)));
    }
  }
}
