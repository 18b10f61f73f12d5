package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Soundness;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that Netty's own buffers and most streams are not. */
@ExtendWith(LeakDetectionOff.class)
class MiMallocByteBufTest {

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void copiesFromABufferWithoutArrayAndViews(boolean direct) {
    byte[] bytes = ByteBufContract.randomBytes(50);
    ByteBuf source =
        new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, 50, 50) {
          @Override
          public boolean hasArray() {
            return false;
          }

          @Override
          public int nioBufferCount() {
            return -1;
          }
        };
    source.writeBytes(bytes);
    ByteBuf buffer = Soundness.allocate(allocator, direct, 60).writeBytes(source, 10, 40);
    assertThat(buffer).isEqualTo(source.slice(10, 40));
    buffer.release();
    source.release();
  }
}
