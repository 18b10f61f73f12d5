package io.github.mimalloc4j.core.memory;

import org.jspecify.annotations.Nullable;

/**
 * Adjacent slices of a segment. Whoever claimed them may use their bytes and the fields of this
 * object until the run is {@linkplain #release() released}.
 */
public final class Run {

  /**
   * What a claimer creates for a run and may leave there, so that the next request of the same size
   * needs no new objects: a large page with its block.
   */
  public interface Attachment {}

  private final Segment segment;
  private final int first;
  private final int slices;

  private @Nullable Attachment attachment;

  Run(Segment segment, int first, int slices) {
    this.segment = segment;
    this.first = first;
    this.slices = slices;
  }

  /** Returns a run without slices. Nothing in it ever changes. */
  public static Run none() {
    return new Run(new Segment(() -> {}, 0, 0), 0, 0);
  }

  /** Returns the memory of the run's segment. */
  public Memory memory() {
    return segment.memory();
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

  /** Returns where the run begins in its segment's memory, in bytes. */
  public int offset() {
    return first * Slices.BYTES;
  }

  public int bytes() {
    return segment.bytes(slices);
  }

  /** Returns whether the run has a segment to itself because no shared one may be as large. */
  public boolean isDedicated() {
    return segment.isDedicated();
  }

  /** Returns what an earlier claimer of exactly these slices left here; null if none did. */
  public @Nullable Attachment attachment() {
    return attachment;
  }

  /** Leaves something for the next claimer of exactly these slices. */
  public void attach(Attachment attachment) {
    this.attachment = attachment;
  }

  /** Returns whether the slices are claimed by anybody. For checks at rest. */
  public boolean isClaimed() {
    return segment.isClaimed(first, slices);
  }

  /** Gives the slices back. Once for each claim; any thread. */
  public void release() {
    segment.release(first, slices);
  }
}
