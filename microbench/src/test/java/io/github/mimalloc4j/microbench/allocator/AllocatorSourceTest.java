package io.github.mimalloc4j.microbench.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.baseline.BareByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AllocatorSourceTest {
  /** Has a constructor and the field: the constructor comes first. */
  public static final class Fresh extends WithoutMetric {
    public static final Fresh DEFAULT = new Fresh();

    public Fresh() {}
  }

  /** Has the field alone. */
  public static final class SharedOnly extends WithoutMetric {
    public static final SharedOnly DEFAULT = new SharedOnly();

    private SharedOnly() {}
  }

  /** Has neither. */
  public static final class Closed extends WithoutMetric {
    private Closed() {}
  }

  /** Has a constructor that fails. */
  public static final class Broken extends WithoutMetric {
    public Broken() {
      throw new UnsupportedOperationException("not here");
    }
  }

  /** An allocator that tells nothing of itself. */
  public abstract static class WithoutMetric extends io.netty.buffer.AbstractByteBufAllocator {
    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  void kindsAreFoundByTheirNames(AllocatorKind kind) {
    assertThat(AllocatorSource.named(kind.name())).isSameAs(kind);
    assertThat(AllocatorSource.named(kind.optionName())).isSameAs(kind);
    assertThat(kind.create()).isNotSameAs(kind.create());
  }

  @Test
  void bareIsFoundByItsName() {
    assertThat(AllocatorSource.named("BARE")).isSameAs(AllocatorSource.BARE);
    assertThat(AllocatorSource.named("bare").create()).isInstanceOf(BareByteBufAllocator.class);
  }

  @Test
  void readersSeeTheNamesOfTheDocuments() {
    assertThat(AllocatorKind.plainName("MIMALLOC")).isEqualTo("mimalloc4j");
    assertThat(AllocatorKind.plainName("ADAPTIVE")).isEqualTo("Adaptive");
    assertThat(AllocatorKind.plainName("OtherAllocator")).isEqualTo("OtherAllocator");
  }

  @Test
  void classesAreMadeByTheirConstructor() {
    AllocatorSource source = AllocatorSource.named(Fresh.class.getName());

    assertThat(source.create()).isInstanceOf(Fresh.class).isNotSameAs(Fresh.DEFAULT);
    assertThat(source.create()).isNotSameAs(source.create());
    assertThat(AllocatorSource.named("io.netty.buffer.PooledByteBufAllocator").create())
        .isInstanceOf(PooledByteBufAllocator.class);
  }

  @Test
  void classesWithoutConstructorGiveTheirSharedInstance() {
    assertThat(AllocatorSource.named(SharedOnly.class.getName()).create())
        .isSameAs(SharedOnly.DEFAULT);
  }

  @Test
  void memoryIsReadWhereAnAllocatorTells() {
    AllocatorSource pooled = AllocatorSource.named("io.netty.buffer.PooledByteBufAllocator");
    ByteBufAllocator allocator = pooled.create();
    ByteBuf buffer = allocator.directBuffer(100);
    assertThat(pooled.usedBytes(allocator, BufferKind.DIRECT)).isPositive();
    assertThat(pooled.usedBytes(allocator, BufferKind.HEAP)).isZero();
    buffer.release();

    AllocatorSource silent = AllocatorSource.named(Fresh.class.getName());
    assertThat(silent.usedBytes(silent.create())).isNull();
    assertThat(silent.pinnedBytes(silent.create(), BufferKind.DIRECT)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "jemalloc, 'is none of [MIMALLOC, ADAPTIVE, POOLED, UNPOOLED] and not BARE, and no class'",
    "com.acme.MyAllocator, and no class of this name is on the class path",
    "java.lang.String, does not implement io.netty.buffer.ByteBufAllocator",
    "io.netty.buffer.ByteBufAllocatorMetric, does not implement io.netty.buffer.ByteBufAllocator",
    "io.netty.buffer.AbstractByteBufAllocator, has neither a public constructor",
  })
  void otherNamesAreExplained(String name, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AllocatorSource.named(name))
        .withMessageStartingWith("allocator " + name + " ")
        .withMessageContaining(message);
  }

  @Test
  void classesThatCannotBeMadeAreExplained() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AllocatorSource.named(Closed.class.getName()))
        .withMessageContaining("nor a public static field DEFAULT");
    AllocatorSource broken = AllocatorSource.named(Broken.class.getName());
    assertThatThrownBy(broken::create)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "allocator %s cannot be created: java.lang.UnsupportedOperationException: not here",
            Broken.class.getName());
  }
}
