package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.Workload;
import io.github.mimalloc4j.microbench.application.Workloads;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of an option that names workloads.
 *
 * @param all in the order in which they are measured
 */
record WorkloadOption(List<Workload> all) {
  private static List<Workload> named(String text) {
    try {
      return Workloads.named(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** Reads a list of names. */
  static final class Converter implements ITypeConverter<WorkloadOption> {
    @Override
    public WorkloadOption convert(String text) {
      return new WorkloadOption(named(text));
    }
  }

  /** Reads a name that means one workload. */
  static final class One implements ITypeConverter<Workload> {
    @Override
    public Workload convert(String text) {
      List<Workload> found = named(text);
      if (found.size() > 1) {
        List<String> names = found.stream().map(Workload::name).toList();
        throw new TypeConversionException("expected one of " + names + ", not '" + text + "'");
      }
      return found.get(0);
    }
  }
}
