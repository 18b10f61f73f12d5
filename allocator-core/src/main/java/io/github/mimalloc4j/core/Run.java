package io.github.mimalloc4j.core;

import org.jspecify.annotations.Nullable;

/**
 * Adjacent slices of a segment. Whoever claimed it may use its bytes and its fields until it is
 * {@linkplain #release() released}.
 */
final class Run {

  private final Segment segment;
  private final int first;
  private final int slices;

  /**
   * What the claimer left here for the next that claims exactly these slices: large pages are kept
   * so, with their block, that an equal request needs no new objects.
   */
  private @Nullable Object tenant;

  Run(Segment segment, int first, int slices) {
    this.segment = segment;
    this.first = first;
    this.slices = slices;
  }

  Segment segment() {
    return segment;
  }

  int first() {
    return first;
  }

  int slices() {
    return slices;
  }

  /** Where the run begins in its segment's memory, in bytes. */
  int offset() {
    return first * SizeClasses.SLICE_BYTES;
  }

  int bytes() {
    return segment.bytes(slices);
  }

  @Nullable Object tenant() {
    return tenant;
  }

  void tenant(Object tenant) {
    this.tenant = tenant;
  }

  /** Gives the slices back. Once for each claim; any thread. */
  void release() {
    segment.release(this);
  }
}
