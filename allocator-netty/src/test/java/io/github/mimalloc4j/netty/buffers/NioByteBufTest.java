package io.github.mimalloc4j.netty.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.BlockAllocator;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.netty.Insides;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import org.junit.jupiter.api.Test;

/** Some platforms give no access by address, but tell the address. */
class NioByteBufTest {

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
  private final BlockAllocator<MiMallocByteBuf> heaps =
      new BlockAllocator<>(
          bytes -> DirectMemory.allocate(Insides.directHeaps(allocator), bytes),
          MemoryPolicy.DEFAULT,
          1,
          (page, slot, memory, offset) -> new NioByteBuf(page, slot, (DirectMemory) memory, offset),
          (task, delayMillis) -> {},
          releases -> {});

  @Test
  void tellsTheAddressIfThereIsOne() {
    MiMallocByteBuf first = heaps.allocateShared(16).begin(16, 16);
    MiMallocByteBuf second = heaps.allocateShared(16).begin(16, 16);
    boolean told = ((DirectMemory) first.memory()).address() != DirectMemory.NO_ADDRESS;
    assertThat(first.hasMemoryAddress()).isEqualTo(told);
    if (told) {
      assertThat(second.memoryAddress() - first.memoryAddress())
          .isEqualTo(second.offset() - first.offset());
    }
    first.release();
    second.release();
    heaps.trim();
    assertThat(heaps.usedBytes()).isZero();
  }
}
