package io.github.mimalloc4j.netty.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What Netty throws when it obtains direct memory, and what becomes of it. */
class DirectMemoryTest {

  private final OutOfMemoryError hidden = new OutOfMemoryError("planted");

  @Test
  void anOutOfMemoryErrorIsFoundHoweverDeepItIsHidden() {
    RuntimeException once = new IllegalStateException("Unexpected allocation exception", hidden);
    assertThatThrownBy(() -> DirectMemory.rethrow(once)).isSameAs(hidden);
    RuntimeException twice = new IllegalStateException(new RuntimeException(hidden));
    assertThatThrownBy(() -> DirectMemory.rethrow(twice)).isSameAs(hidden);
  }

  @Test
  void everyOtherExceptionIsThrownAsItIs() {
    RuntimeException other = new IllegalStateException(new StackOverflowError());
    assertThatThrownBy(() -> DirectMemory.rethrow(other)).isSameAs(other);
    assertThat(other.getSuppressed()).isEmpty();
  }

  @Test
  void causesInACircleEnd() {
    RuntimeException one = new IllegalStateException("one");
    one.initCause(new RuntimeException("two", one));
    assertThatThrownBy(() -> DirectMemory.rethrow(one)).isSameAs(one);
  }
}
