package io.github.mimalloc4j.microbench.command;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of an option that takes one allocator, by the name of its kind or of its class.
 *
 * @param name the name of the kind or of the class
 */
public record NamedAllocator(String name, AllocatorSource source) {
  static NamedAllocator parse(String text) {
    try {
      AllocatorSource source = AllocatorSource.named(text);
      return new NamedAllocator(source instanceof AllocatorKind kind ? kind.name() : text, source);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /**
   * The value of an option that takes comma-separated allocators, or {@code all} for this project's
   * allocator and Netty's pooling ones.
   *
   * @param all in the order in which they are measured and shown
   */
  public record Several(List<NamedAllocator> all) {
    /** Describes such an option. */
    public static final String DESCRIPTION =
        "Comma-separated names or classes, or all for mimalloc,adaptive,pooled.";

    public List<String> names() {
      return all.stream().map(NamedAllocator::name).toList();
    }

    static Several parse(String text) {
      if (text.equalsIgnoreCase("all")) {
        return new Several(
            Allocators.ALL.kinds().stream()
                .map(kind -> new NamedAllocator(kind.name(), kind))
                .toList());
      }
      List<NamedAllocator> all = new ArrayList<>();
      for (String word : text.split(",", -1)) {
        NamedAllocator one = NamedAllocator.parse(word);
        if (all.stream().anyMatch(other -> other.name().equals(one.name()))) {
          throw new TypeConversionException(one.name() + " is named twice");
        }
        all.add(one);
      }
      return new Several(all);
    }
  }
}
