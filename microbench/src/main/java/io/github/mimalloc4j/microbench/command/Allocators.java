package io.github.mimalloc4j.microbench.command;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of an option that takes comma-separated allocators, or {@code all} for this project's
 * allocator and Netty's pooling ones.
 *
 * @param names of kinds or of classes, in the order in which they are measured and shown
 */
public record Allocators(List<String> names) {
  /** Describes such an option. */
  public static final String DESCRIPTION =
      "Comma-separated names or classes, or all for mimalloc,adaptive,pooled.";

  public static final Allocators ALL =
      new Allocators(
          Stream.of(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE, AllocatorKind.POOLED)
              .map(AllocatorKind::name)
              .toList());

  static Allocators parse(String text) {
    return text.equalsIgnoreCase("all")
        ? ALL
        : new Allocators(NameList.parse(text, Allocators::fullName));
  }

  private static String fullName(String word) {
    AllocatorSource source = source(word);
    if (source == AllocatorSource.BARE) {
      return AllocatorSource.BARE_NAME;
    }
    return source instanceof AllocatorKind kind ? kind.name() : word;
  }

  /** Reads the value of an option that takes one allocator. */
  static AllocatorSource source(String word) {
    try {
      return AllocatorSource.named(word);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
