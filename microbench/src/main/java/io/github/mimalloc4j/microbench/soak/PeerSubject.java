package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.BufferKind;
import io.netty.buffer.ByteBufAllocator;
import java.util.Optional;
import java.util.OptionalLong;

/** An allocator of Netty's, as a control: a soak that it fails is wrong itself, or it is. */
final class PeerSubject implements Subject {
  private final AllocatorKind kind;
  private final ByteBufAllocator allocator;

  PeerSubject(AllocatorKind kind) {
    this.kind = kind;
    allocator = kind.create();
  }

  @Override
  public ByteBufAllocator allocator() {
    return allocator;
  }

  @Override
  public long usedBytes(BufferKind buffers) {
    return kind.usedBytes(allocator, buffers);
  }

  @Override
  public OptionalLong pinnedBytes(BufferKind buffers) {
    return kind.pinnedBytes(allocator, buffers);
  }

  /** It has nothing to look at. */
  @Override
  public void checkAtRest(LiveRegistry live) {}

  @Override
  public Optional<Return> memoryReturn() {
    return Optional.empty();
  }
}
