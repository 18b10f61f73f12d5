package io.github.mimalloc4j.netty.misuse;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.options.Option;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Without the options for debugging none of their classes is loaded: so the JVM knows that a buffer
 * has no guard, and compiles nothing of what guards would do.
 */
class GuardsOffTest {

  /** Classes that override a method of the buffers or of the heaps. */
  private static final String[] SUBCLASSES = {
    "netty.debugging.GuardedHeaps ", "netty.debugging.GuardedBuffers$Array "
  };

  @Test
  void noClassOfAGuardedBufferIsLoaded() {
    String loaded = classesLoaded();
    assertThat(loaded).contains("netty.buffers.ArrayByteBuf ", "netty.threads.ThreadHeaps ");
    assertThat(loaded).doesNotContain("netty.debugging.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"debug=true", "zeroOnRelease=true", "checkedRelease=true", "sampleLive=1048576"})
  void theyAreWithTheOption(String option) {
    assertThat(classesLoaded("-D" + Option.PREFIX + option)).contains(SUBCLASSES);
  }

  private static String classesLoaded(String... options) {
    String[] all = new String[options.length + 1];
    System.arraycopy(options, 0, all, 0, options.length);
    all[options.length] = "-Xlog:class+load=info";
    return OtherJvm.run(EveryOperation.class, all).assertSucceeded().output();
  }

  static final class EveryOperation {
    public static void main(String[] args) {
      for (boolean direct : new boolean[] {true, false}) {
        for (ThreadKind kind : new ThreadKind[] {ThreadKind.EVENT_EXECUTOR, ThreadKind.PLAIN}) {
          ByteBuf buffer = kind.call(() -> useAndKeep(direct));
          buffer.release();
        }
      }
      MiMallocByteBufAllocator.DEFAULT.trim();
    }

    private static ByteBuf useAndKeep(boolean direct) {
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      ByteBuf buffer = allocate(allocator, direct, 100);
      buffer.writeLong(1).capacity(50).capacity(300_000).retain().release();
      try {
        buffer.release(2);
        throw new AssertionError("released more than there was");
      } catch (IllegalReferenceCountException expected) {
        buffer.release();
      }
      return allocate(allocator, direct, 100);
    }
  }
}
