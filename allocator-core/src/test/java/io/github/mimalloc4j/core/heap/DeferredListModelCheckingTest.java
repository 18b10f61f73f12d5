package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.ModelChecking;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pushes by any thread, and questions and take-alls by the owner, are as if one after the other.
 */
@Tag("model-checking")
class DeferredListModelCheckingTest {

  private static final int SLOTS = 4;

  @Test
  void isLinearizable() {
    check(RealList.class);
  }

  @Test
  void findsTakeAllInTwoSteps() {
    assertThatThrownBy(() -> check(TakeAllInTwoSteps.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  @Test
  void questionFailsOrPusherIsTold() {
    ModelChecking.check(AskAndPush.class);
  }

  @Test
  void findsQuestionByPlainWrite() {
    ModelChecking.assertFound(AskByPlainWriteAndPush.class);
  }

  @Test
  void findsPushThatIgnoresTheQuestion() {
    assertThatThrownBy(() -> check(PushTellsNobody.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  private static void check(Class<? extends Operations> list) {
    ModelChecking.options().sequentialSpecification(Specification.class).check(list);
  }

  /** Each slot is pushed once, as the states of blocks ensure. */
  abstract static class Operations {

    abstract boolean push(int slot);

    abstract int first();

    abstract int next(int slot);

    abstract boolean askNow();

    @Operation(runOnce = true)
    public boolean push0() {
      return push(0);
    }

    @Operation(runOnce = true)
    public boolean push1() {
      return push(1);
    }

    @Operation(runOnce = true)
    public boolean push2() {
      return push(2);
    }

    @Operation(runOnce = true)
    public boolean push3() {
      return push(3);
    }

    @Operation(nonParallelGroup = "owner")
    public List<Integer> takeAll() {
      List<Integer> taken = new ArrayList<>();
      for (int slot = first(); slot != DeferredList.NONE; slot = next(slot)) {
        taken.add(slot);
      }
      return taken;
    }

    @Operation(nonParallelGroup = "owner")
    public boolean ask() {
      return askNow();
    }
  }

  /** What it is to a single thread. */
  public static final class Specification extends Operations {

    private final Deque<Integer> slots = new ArrayDeque<>();
    private boolean asked;

    @Override
    boolean push(int slot) {
      slots.push(slot);
      boolean told = asked;
      asked = false;
      return told;
    }

    @Override
    int first() {
      return slots.isEmpty() ? DeferredList.NONE : slots.pop();
    }

    @Override
    int next(int slot) {
      return first();
    }

    @Override
    boolean askNow() {
      boolean can = slots.isEmpty() && !asked;
      asked |= can;
      return can;
    }
  }

  public static final class RealList extends Operations {

    private final DeferredList list = new DeferredList(SLOTS);

    @Override
    boolean push(int slot) {
      return list.push(slot);
    }

    @Override
    int first() {
      return list.takeAll();
    }

    @Override
    int next(int slot) {
      return list.next(slot);
    }

    @Override
    boolean askNow() {
      return list.ask();
    }
  }

  /** The protocol once more, to plant bugs in. */
  abstract static class SimpleList extends Operations {

    static final int NONE = DeferredList.NONE;
    static final int ASKED = -2;

    final AtomicInteger head = new AtomicInteger(NONE);
    final int[] links = new int[SLOTS];

    @Override
    boolean push(int slot) {
      int seen;
      do {
        seen = head.get();
        links[slot] = Math.max(seen, NONE);
      } while (!head.compareAndSet(seen, slot));
      return seen == ASKED;
    }

    @Override
    int first() {
      return head.get() < 0 ? NONE : head.getAndSet(NONE);
    }

    @Override
    int next(int slot) {
      return links[slot];
    }

    @Override
    boolean askNow() {
      return head.compareAndSet(NONE, ASKED);
    }
  }

  public static final class TakeAllInTwoSteps extends SimpleList {

    @Override
    int first() {
      int first = Math.max(head.get(), NONE);
      if (first != NONE) {
        head.set(NONE); // a push in between is lost
      }
      return first;
    }
  }

  public static final class AskByPlainWrite extends SimpleList {

    @Override
    boolean askNow() {
      boolean can = head.get() == NONE;
      if (can) {
        head.set(ASKED); // a push in between is lost
      }
      return can;
    }
  }

  /** The owner asks while another thread pushes. */
  public static class AskAndPush extends ModelChecking.Race {

    private final Operations list;
    private boolean asked;
    private boolean told;

    public AskAndPush() {
      this(new RealList());
    }

    AskAndPush(Operations list) {
      this.list = list;
    }

    @Override
    protected void doOurs() {
      asked = list.askNow();
    }

    @Override
    protected void doTheirs() {
      told = list.push(0);
    }

    @Override
    public void atRest() {
      require(asked == told, "asked: " + asked + ", told: " + told);
      require(list.first() == 0, "the slot is lost");
    }
  }

  public static final class AskByPlainWriteAndPush extends AskAndPush {
    public AskByPlainWriteAndPush() {
      super(new AskByPlainWrite());
    }
  }

  public static final class PushTellsNobody extends SimpleList {

    @Override
    boolean push(int slot) {
      boolean told = head.get() == ASKED; // the question may come in between
      super.push(slot);
      return told;
    }
  }
}
