package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
  void questionFailsOrPusherIsTold() {
    ModelChecking.check(AskAndPush.class);
  }

  @Test
  void slotsAreTakenOrStolen() {
    ModelChecking.check(TakeAllAndSteal.class);
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

  /** The owner takes all slots while another thread pushes the last one and steals. */
  public static final class TakeAllAndSteal extends ModelChecking.Race {

    private final DeferredList list = new DeferredList(2);
    private boolean taken;
    private boolean stolen;

    public TakeAllAndSteal() {
      list.push(0);
    }

    @Override
    protected void doOurs() {
      taken = list.takeAll() != DeferredList.NONE;
    }

    @Override
    protected void doTheirs() {
      list.push(1);
      long stamp = list.stampIfFull();
      stolen = stamp != DeferredList.NOT_FULL && list.steal(stamp);
    }

    @Override
    public void atRest() {
      require(taken != stolen, "taken: " + taken + ", stolen: " + stolen);
      require(list.isStolen() == stolen, "who has the page was overwritten");
    }
  }

  /** The owner asks while another thread pushes. */
  public static final class AskAndPush extends ModelChecking.Race {

    private final DeferredList list = new DeferredList(1);
    private boolean asked;
    private boolean told;

    @Override
    protected void doOurs() {
      asked = list.ask();
    }

    @Override
    protected void doTheirs() {
      told = list.push(0);
    }

    @Override
    public void atRest() {
      require(asked == told, "asked: " + asked + ", told: " + told);
      require(list.takeAll() == 0, "the slot is lost");
    }
  }
}
