package io.github.mimalloc4j.microbench.command;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of an option that takes comma-separated allocator names, or {@code all} for this
 * project's allocator and Netty's pooling ones.
 *
 * @param kinds in the order in which they are measured and shown
 */
public record Allocators(List<AllocatorKind> kinds) {
  /** Describes such an option. */
  public static final String DESCRIPTION =
      "Comma-separated names, or all for mimalloc,adaptive,pooled.";

  public static final Allocators ALL =
      new Allocators(List.of(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE, AllocatorKind.POOLED));

  static Allocators parse(String text) {
    if (text.equalsIgnoreCase("all")) {
      return ALL;
    }
    return new Allocators(NameList.parse(text, Allocators::named));
  }

  private static AllocatorKind named(String word) {
    return Arrays.stream(AllocatorKind.values())
        .filter(candidate -> candidate.name().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException(unknown(word)));
  }

  private static String unknown(String word) {
    return "expected all, or some of %s, not '%s'"
        .formatted(Arrays.toString(AllocatorKind.values()).toLowerCase(Locale.ROOT), word);
  }
}
