package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.command.NameList;
import java.util.Arrays;
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
        default -> new WorkOption(NameList.parse(text, Converter::named));
      };
    }

    private static CompareRow named(String name) {
      CompareRow named =
          Arrays.stream(CompareRow.values())
              .filter(row -> row.optionName().equals(name))
              .findFirst()
              .orElseThrow(() -> unknown(name));
      if (!named.runsHere()) {
        throw new TypeConversionException(name + " needs JDK 21 or newer");
      }
      return named;
    }

    private static TypeConversionException unknown(String name) {
      List<String> names = CompareRow.all().stream().map(CompareRow::optionName).toList();
      return new TypeConversionException(
          "expected main, all, or some of %s, not '%s'".formatted(names, name));
    }
  }
}
