package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Posts by any thread and take-alls by the holder are as if one after the other. */
@Tag("model-checking")
class MailboxModelCheckingTest {

  @Test
  void isLinearizable() {
    check(RealMailbox.class);
  }

  private static void check(Class<? extends Operations> mailbox) {
    ModelChecking.options().sequentialSpecification(Specification.class).check(mailbox);
  }

  /** Each page is posted once, as the question to be told ensures. */
  abstract static class Operations {

    abstract void post(int page);

    abstract List<Integer> taken();

    abstract boolean hasNone();

    @Operation(runOnce = true)
    public void post0() {
      post(0);
    }

    @Operation(runOnce = true)
    public void post1() {
      post(1);
    }

    @Operation(runOnce = true)
    public void post2() {
      post(2);
    }

    @Operation(nonParallelGroup = "holder")
    public List<Integer> takeAll() {
      return taken();
    }

    @Operation
    public boolean isEmpty() {
      return hasNone();
    }
  }

  /** What it is to a single thread. */
  public static final class Specification extends Operations {

    private final Deque<Integer> pages = new ArrayDeque<>();

    @Override
    void post(int page) {
      pages.push(page);
    }

    @Override
    List<Integer> taken() {
      List<Integer> taken = new ArrayList<>(pages);
      pages.clear();
      return taken;
    }

    @Override
    boolean hasNone() {
      return pages.isEmpty();
    }
  }

  public static final class RealMailbox extends Operations {

    private final Mailbox<Block> mailbox = new Mailbox<>();
    private final List<Page<Block>> pages = List.of(Page.none(), Page.none(), Page.none());

    @Override
    void post(int page) {
      mailbox.post(pages.get(page));
    }

    @Override
    List<Integer> taken() {
      List<Integer> taken = new ArrayList<>();
      for (Page<Block> page = mailbox.takeAll(); page != null; page = page.nextInMailbox) {
        taken.add(pages.indexOf(page));
      }
      return taken;
    }

    @Override
    boolean hasNone() {
      return mailbox.isEmpty();
    }
  }
}
