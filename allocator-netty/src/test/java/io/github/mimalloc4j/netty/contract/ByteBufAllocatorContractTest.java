package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An allocator whose users did not choose the kind of their buffers. */
@ExtendWith(LeakDetectionOff.class)
class ByteBufAllocatorContractTest {

  @Test
  void buffersAreOfTheKindThatPooledPrefers() {
    try (MiMallocByteBufAllocator built = MiMallocByteBufAllocator.builder().build()) {
      boolean direct = isDirect(PooledByteBufAllocator.DEFAULT);
      assertThat(isDirect(MiMallocByteBufAllocator.DEFAULT)).isEqualTo(direct);
      assertThat(isDirect(built)).isEqualTo(direct);
    }
  }

  @Test
  void buffersAreOnTheHeapIfTheProgramPrefersThat() {
    try (MiMallocByteBufAllocator built =
            MiMallocByteBufAllocator.builder().preferDirect(false).build();
        MiMallocByteBufAllocator made = new MiMallocByteBufAllocator(false)) {
      assertThat(isDirect(built)).isFalse();
      assertThat(isDirect(made)).isFalse();
    }
  }

  @Test
  void buffersAreOnTheHeapIfNettysPropertySaysSo() {
    OtherJvm.run(OnTheHeap.class, "-Dio.netty.noPreferDirect=true").assertSucceeded();
  }

  static final class OnTheHeap {
    public static void main(String[] args) {
      assertThat(isDirect(MiMallocByteBufAllocator.DEFAULT)).isFalse();
      assertThat(isDirect(MiMallocByteBufAllocator.builder().build())).isFalse();
      assertThat(isDirect(new MiMallocByteBufAllocator(true)))
          .isEqualTo(isDirect(new PooledByteBufAllocator(true)));
    }
  }

  private static boolean isDirect(ByteBufAllocator allocator) {
    ByteBuf buffer = allocator.buffer();
    try {
      return buffer.isDirect();
    } finally {
      buffer.release();
    }
  }
}
