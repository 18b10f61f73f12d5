package io.github.mimalloc4j.netty.redirection;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which buffers Vert.x, once it was changed, copies and releases. */
@Tag("same-without-unsafe")
class VertxAllocatorTest {

  /** Without the change of Netty, its default on 4.2 is Adaptive, which Vert.x 4 does not know. */
  @Test
  void thoseOfAllAllocatorsThatItMayReceiveWith() {
    MiMallocByteBufAllocator ours = MiMallocByteBufAllocator.builder().build();
    for (ByteBufAllocator allocator :
        List.of(ours, ByteBufAllocator.DEFAULT, PooledByteBufAllocator.DEFAULT)) {
      ByteBuf buffer = allocator.directBuffer(100);
      assertThat(VertxAllocator.of(buffer)).isSameAs(PooledByteBufAllocator.DEFAULT);
      assertThat(VertxAllocator.of(buffer.slice())).isSameAs(PooledByteBufAllocator.DEFAULT);
      buffer.release();
    }
  }

  @Test
  void notThoseThatAreCollected() {
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.heapBuffer(100);
    assertThat(VertxAllocator.of(buffer)).isSameAs(UnpooledByteBufAllocator.DEFAULT);
    buffer.release();
  }
}
