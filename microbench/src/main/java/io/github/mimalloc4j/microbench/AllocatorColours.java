package io.github.mimalloc4j.microbench;

import java.util.List;
import java.util.Map;

/** The colours of allocators in charts: the same in all of them. */
public final class AllocatorColours {
  /** Colours that colour-blind people can tell apart, by Okabe and Ito. */
  private static final Map<String, String> KNOWN =
      Map.of(
          "MIMALLOC", "#0072b2",
          "ADAPTIVE", "#d55e00",
          "POOLED", "#009e73",
          "UNPOOLED", "#cc79a7",
          "BARE", "#777777");

  private static final List<String> OTHERS = List.of("#e69f00", "#56b4e9", "#8a6d00", "#7a3db8");

  private AllocatorColours() {}

  /** The colour, in the notation of CSS, of an allocator by its name in capitals, or its class. */
  public static String of(String allocator) {
    String colour = KNOWN.get(allocator);
    return colour != null ? colour : OTHERS.get(Math.floorMod(allocator.hashCode(), OTHERS.size()));
  }
}
