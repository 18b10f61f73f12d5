package io.github.mimalloc4j.microbench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveRegistryTest {

  /** The release of the JDK that tells the address of a direct buffer. */
  private static final int ADDRESSES_SINCE = 22;

  private final LiveRegistry registry = new LiveRegistry();
  private final List<ByteBuf> buffers = new ArrayList<>();
  private int allocated;

  @AfterEach
  void release() {
    buffers.forEach(ByteBuf::release);
  }

  private Holding add(ByteBuf buffer) {
    Holding holding = Holding.of(buffer, Stamp.identity(1, ++allocated));
    registry.add(holding);
    return holding;
  }

  private ByteBuf allocate(boolean direct, int bytes) {
    MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
    ByteBuf buffer = direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
    buffers.add(buffer);
    return buffer;
  }

  @Test
  void oneSharedByteIsAnOverlap() {
    ByteBuf all = Unpooled.buffer(200);
    add(all.slice(99, 50));
    add(all.slice(0, 100));

    assertThatThrownBy(registry::checkOverlaps)
        .isInstanceOf(SoakFailure.class)
        .hasMessageContainingAll("two live buffers overlap", "buffer 1/1", "buffer 1/2");
  }

  /** Where Netty does without addresses, an older JDK does not tell them either. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatABufferCanGrowIntoIsItsOwn(boolean direct) {
    ByteBuf buffer = allocate(direct, 256);
    ByteBuf behind = buffer.slice(200, 50);
    add(buffer.capacity(100));
    add(behind);

    boolean placed =
        !direct || buffer.hasMemoryAddress() || Runtime.version().feature() >= ADDRESSES_SINCE;
    assertThat(registry.unplaced()).isEqualTo(placed ? 0 : 2);
    if (placed) {
      assertThatThrownBy(registry::checkOverlaps)
          .isInstanceOf(SoakFailure.class)
          .hasMessageContaining("overlap");
    } else {
      registry.checkOverlaps();
    }
  }
}
