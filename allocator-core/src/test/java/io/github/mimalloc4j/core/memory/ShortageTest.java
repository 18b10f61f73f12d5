package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A source that fails after half a second, as the JDK does. */
class ShortageTest {

  private static final long HALF_A_SECOND = 500_000_000;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - HALF_A_SECOND); // it may wrap
  private final Shortage shortage = new Shortage(now::get);
  private int asked;
  private long takes = HALF_A_SECOND;
  private boolean fails = true;

  @Test
  void theNextRequestsFailAtOnce() {
    fail(1000, 0);
    assertThat(asked).isOne();
    now.addAndGet(HALF_A_SECOND - 1);
    fail(1000, 0);
    assertThatThrownBy(() -> shortage.allocate(this::allocate, 1 << 20, 0))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("No room for 1048576 bytes: the test's failure")
        .hasRootCauseMessage("the test's failure");
    assertThat(asked).isOne();
  }

  @Test
  void afterThatOneThreadAsksAgain() {
    fail(1000, 0);
    now.addAndGet(HALF_A_SECOND);
    MemorySource whileAsked =
        bytes -> {
          fail(1000, 0); // another thread, meanwhile
          assertThat(asked).isOne();
          return allocate(bytes);
        };
    assertThatThrownBy(() -> shortage.allocate(whileAsked, 1000, 0))
        .hasMessage("the test's failure");
    assertThat(asked).isEqualTo(2);
    fail(1000, 0);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void onceThatThreadGotMemoryAllAskAgain() {
    fail(1000, 0);
    now.addAndGet(HALF_A_SECOND);
    fails = false;
    assertThat(shortage.allocate(this::allocate, 1000, 0)).isNotNull();
    MemorySource whileAsked =
        bytes -> {
          assertThat(shortage.allocate(this::allocate, 2000, 0)).isNotNull(); // another thread
          return allocate(bytes);
        };
    assertThat(shortage.allocate(whileAsked, 1000, 0)).isNotNull();
    assertThat(asked).isEqualTo(4);
  }

  @Test
  void afterTheShortageNobodyAsksForMoreThanIsNeededForSomeTime() {
    fail(1000, 0);
    now.addAndGet(HALF_A_SECOND);
    fails = false;
    takes = 0;
    assertThat(shortage.allocate(this::allocate, 1000, 0)).isNotNull();
    for (int i = 0; i < 19; i++) { // further successes do not make it longer
      now.addAndGet(HALF_A_SECOND);
      assertThat(shortage.allowsMore(1000)).isFalse();
      assertThat(shortage.allocate(this::allocate, 1000, 0)).isNotNull();
    }
    now.addAndGet(HALF_A_SECOND);
    assertThat(shortage.allowsMore(1000)).isTrue();
  }

  @Test
  void aShortageThatIsOverCanBeginAgain() {
    fail(1000, 0);
    now.addAndGet(HALF_A_SECOND);
    fails = false;
    assertThat(shortage.allocate(this::allocate, 1000, 0)).isNotNull();
    fails = true;
    fail(1000, 0);
    assertThat(asked).isEqualTo(3);
    fail(1000, 0);
    assertThat(asked).isEqualTo(3);
  }

  @Test
  void aSmallerRequestIsTried() {
    fail(1000, 0);
    fails = false;
    assertThat(shortage.allocate(this::allocate, 999, 0)).isNotNull();
  }

  @Test
  void onceASegmentWentBackTheSourceIsAsked() {
    fail(1000, 0);
    fails = false;
    assertThat(shortage.allocate(this::allocate, 1000, 1)).isNotNull();
  }

  @Test
  void aSourceThatFailsFastIsAskedEachTime() {
    takes = Shortage.SLOW_NANOS - 1;
    fail(1000, 0);
    fail(1000, 0);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void nobodyAsksForMoreThanIsNeededForSomeTime() {
    assertThat(shortage.allowsMore(1000)).isTrue();
    fail(1000, 0);
    assertThat(shortage.allowsMore(1000)).isFalse();
    assertThat(shortage.allowsMore(999)).isTrue();
    now.addAndGet(20 * HALF_A_SECOND);
    assertThat(shortage.allowsMore(1000)).isFalse();
    now.addAndGet(HALF_A_SECOND);
    assertThat(shortage.allowsMore(1000)).isTrue();
  }

  private void fail(int bytes, long frees) {
    assertThatThrownBy(() -> shortage.allocate(this::allocate, bytes, frees))
        .isInstanceOf(OutOfMemoryError.class);
  }

  private Memory allocate(int bytes) {
    asked++;
    now.addAndGet(takes);
    if (fails) {
      throw new OutOfMemoryError("the test's failure");
    }
    return () -> {};
  }
}
