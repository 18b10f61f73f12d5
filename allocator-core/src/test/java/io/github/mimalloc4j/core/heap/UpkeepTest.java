package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UpkeepTest {

  private final ManualUpkeep executor = new ManualUpkeep();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final Upkeep upkeep = upkeep(1000);

  @Test
  void isRunOnceForAllWhoAskedMeanwhile() {
    for (int i = 0; i < 10; i++) {
      upkeep.request();
    }
    assertThat(executor.size()).isOne();
    executor.runAll();
    assertThat(runs).hasValue(1);
    assertThat(upkeep.isRequested()).isFalse();
  }

  @Test
  void isRunAgainForWhoAsksLater() {
    upkeep.request();
    executor.runAll();
    upkeep.request();
    executor.runAll();
    assertThat(runs).hasValue(2);
  }

  /** What the task does may be a reason for another run. */
  @Test
  void mayAskForItselfWhileItRuns() {
    AtomicInteger left = new AtomicInteger(3);
    Upkeep[] again = new Upkeep[1];
    again[0] =
        new Upkeep(
            executor,
            1000,
            () -> {
              if (left.decrementAndGet() > 0) {
                again[0].request();
              }
            },
            () -> {});
    again[0].request();
    executor.runAll();
    assertThat(left).hasValue(0);
  }

  @Test
  void aRefusalIsToldAndTheNextRequestIsTriedAgain() {
    executor.refuses = true;
    upkeep.request();
    assertThat(refusals).hasValue(1);
    assertThat(upkeep.isRequested()).isFalse();
    assertThat(upkeep.isRefusing()).isTrue();
    executor.refuses = false;
    upkeep.request();
    assertThat(upkeep.isRefusing()).isFalse();
    executor.runAll();
    assertThat(runs).hasValue(1);
  }

  /** A release asks for upkeep, and must not fail because of a user's executor. */
  @Test
  void anExecutorThatFailsWhenItIsAskedWhyIsTakenForEnding() {
    UpkeepExecutor broken =
        new UpkeepExecutor() {
          @Override
          public void execute(UpkeepTask task, long delayMillis) {
            throw new StackOverflowError("planted");
          }

          @Override
          public boolean isEnding() {
            throw new IllegalStateException("planted");
          }
        };
    Upkeep asked = new Upkeep(broken, 1000, runs::incrementAndGet, refusals::incrementAndGet);
    asked.request();
    assertThat(refusals).hasValue(1);
    assertThat(asked.isRefused()).isFalse();
  }

  /** As a request that is refused: the rest of the work must not wait for another reason. */
  @Test
  void aRestThatIsRefusedIsAskedForAgain() {
    executor.refuses = true;
    upkeep.continueSoon();
    assertThat(upkeep.isContinued()).isFalse();
    assertThat(refusals).hasValue(1);
    executor.refuses = false;
    upkeep.requestRefused();
    executor.runAll();
    assertThat(runs).hasValue(1);
  }

  /** Each refusal costs an exception, and an allocation or a release may be the one who asks. */
  @Test
  void anOwnersExecutorThatRefusedIsAskedByNobodyButWhoWasTold() {
    Upkeep owners = owners();
    executor.refuses = true;
    for (int i = 0; i < 10; i++) {
      owners.request();
    }
    assertThat(executor.refusals()).isOne();
    assertThat(refusals).as("told each time").hasValue(10);
    owners.requestRefused();
    assertThat(executor.refusals()).isEqualTo(2);
    assertThat(owners.takeDue()).as("refused again").isTrue();
    assertThat(owners.takeDue()).isFalse();
    executor.refuses = false;
    owners.requestRefused();
    executor.runAll();
    assertThat(runs).hasValue(1);
    owners.request();
    executor.runAll();
    assertThat(runs).hasValue(2);
  }

  @Test
  void anOwnerWhoseExecutorHasEndedDoesTheWorkOfEachRequestThatWasMadeSince() {
    Upkeep owners = owners();
    executor.refuses = true;
    executor.ending = true;
    owners.request();
    for (int i = 0; i < 3; i++) {
      owners.request();
      assertThat(owners.takeDue()).as("before who was told has come").isFalse();
      owners.requestRefused();
      assertThat(owners.takeDue()).isTrue();
      owners.requestRefused();
      assertThat(owners.takeDue()).as("without another request").isFalse();
    }
    owners.requestNow();
    assertThat(owners.takeDue()).as("at once").isTrue();
    assertThat(executor.refusals()).isOne();
  }

  @Test
  void whatTheExecutorCancelsIsLeftToTheOwner() {
    Upkeep owners = owners();
    owners.request();
    owners.requestNow();
    owners.continueSoon();
    assertThat(owners.isContinued()).isTrue();
    executor.ending = true;
    executor.refuses = true;
    assertThat(executor.cancelAll()).isEqualTo(3);
    assertThat(owners.isRequested()).isFalse();
    assertThat(owners.isContinued()).isFalse();
    owners.requestRefused();
    assertThat(owners.takeDue()).isTrue();
    owners.request();
    owners.requestRefused();
    assertThat(owners.takeDue()).as("after another request").isTrue();
    owners.requestNow();
    assertThat(owners.takeDue()).as("at once").isTrue();
    assertThat(runs).hasValue(0);
    assertThat(executor.refusals()).as("asked since").isZero();
  }

  /** Nobody asks the executor again, so the owner must not wait for that. */
  @Test
  void withoutADelayARunAtOnceThatIsRefusedIsLeftToTheOwner() {
    Upkeep owners = owners(0);
    executor.refuses = true;
    owners.requestNow();
    assertThat(owners.takeDue()).as("refused").isTrue();
    assertThat(owners.takeDue()).isFalse();
    assertThat(owners.isWanted()).as("once it is done").isFalse();
    executor.refuses = false;
    owners.requestNow();
    assertThat(executor.cancelAll()).isOne();
    assertThat(owners.takeDue()).as("cancelled").isTrue();
    assertThat(runs).hasValue(0);
  }

  @Test
  void withoutADelayARunThatFailsIsLeftToTheOwner() {
    Upkeep owners =
        new Upkeep(
            executor,
            0,
            () -> {
              throw new IllegalStateException("planted");
            },
            () -> {},
            refusals::incrementAndGet);
    owners.requestNow();
    assertThatThrownBy(executor::runOnce).isInstanceOf(IllegalStateException.class);
    assertThat(owners.takeDue()).isTrue();
    assertThat(owners.isRefusing()).as("so that the owner goes on").isTrue();
  }

  private Upkeep owners() {
    return owners(1000);
  }

  private Upkeep owners(long delayMillis) {
    return new Upkeep(
        executor, delayMillis, runs::incrementAndGet, () -> {}, refusals::incrementAndGet);
  }

  @Test
  void isNeverScheduledWithoutADelay() {
    Upkeep off = upkeep(0);
    off.request();
    assertThat(off.isActive()).isFalse();
    assertThat(executor.size()).isZero();
    off.requestNow();
    executor.runAll();
    assertThat(runs).hasValue(1);
  }

  /** For example because there is no Java heap: what is left to give back is not forgotten. */
  @Test
  void aRunThatFailsIsFollowedByAnother() {
    OutOfMemoryError failure = new OutOfMemoryError("planted");
    AtomicInteger failures = new AtomicInteger(2);
    Upkeep failing =
        new Upkeep(
            executor,
            1000,
            () -> {
              if (failures.getAndDecrement() > 0) {
                throw failure;
              }
              runs.incrementAndGet();
            },
            () -> {});
    failing.request();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(executor::runOnce).isSameAs(failure);
      assertThat(executor.size()).as("asked for again").isOne();
    }
    executor.runAll();
    assertThat(runs).hasValue(1);
    failures.set(1);
    failing.requestNow();
    assertThatThrownBy(executor::runOnce).isSameAs(failure);
    executor.runAll();
    assertThat(runs).hasValue(2);
  }

  /** However short the delay is: what fails again and again must not keep a thread busy. */
  @Test
  void aRunThatFailedIsRepeatedASecondLaterAtTheEarliest() {
    List<Long> delays = new ArrayList<>();
    Upkeep failing =
        new Upkeep(
            (task, delayMillis) -> delays.add(delayMillis),
            5,
            () -> {
              throw new IllegalStateException("planted");
            },
            () -> {});
    failing.request();
    assertThatThrownBy(failing.delayedRun()::run).isInstanceOf(IllegalStateException.class);
    assertThat(delays).containsExactly(5L, 1000L);
  }

  @Test
  void runsAtOnceBesidesALaterRun() {
    upkeep.request();
    upkeep.requestNow();
    assertThat(executor.size()).isEqualTo(2);
    executor.runAll();
    assertThat(runs).hasValue(2);
  }

  private Upkeep upkeep(long delayMillis) {
    return new Upkeep(executor, delayMillis, runs::incrementAndGet, refusals::incrementAndGet);
  }
}
