package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An allocator as a user names it: one of the kinds, or any other one by its class.
 *
 * @param name the kind's name, or the class's
 */
record NamedAllocator(String name, AllocatorSource source) {
  private static final String ALL = "mimalloc,adaptive,pooled";

  private static NamedAllocator of(String text) {
    try {
      AllocatorSource source = AllocatorSource.named(text);
      return new NamedAllocator(source instanceof AllocatorKind kind ? kind.name() : text, source);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** Reads one name. */
  static final class Converter implements ITypeConverter<NamedAllocator> {
    @Override
    public NamedAllocator convert(String text) {
      return of(text);
    }
  }

  /** Several, in the order in which they are measured and shown. */
  record Several(List<NamedAllocator> all) {
    List<String> names() {
      return all.stream().map(NamedAllocator::name).toList();
    }
  }

  /** Reads names with commas in between, or {@code all}: this project's and the pooling ones. */
  static final class SeveralConverter implements ITypeConverter<Several> {
    @Override
    public Several convert(String text) {
      String names = text.equalsIgnoreCase("all") ? ALL : text;
      List<NamedAllocator> found = new ArrayList<>();
      for (NamedAllocator one : Stream.of(names.split(",", -1)).map(NamedAllocator::of).toList()) {
        if (found.stream().anyMatch(other -> other.name().equals(one.name()))) {
          throw new TypeConversionException(one.name() + " is named twice");
        }
        found.add(one);
      }
      return new Several(found);
    }
  }
}
