package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.PostAndTakeAllTest;
import io.github.mimalloc4j.core.heap.Notices;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a page is linked and made the head in two steps. */
@JCStressTest
@JCStressMeta(PostAndTakeAllTest.class)
@State
public class PostByPlainWritePlanted extends PostAndTakeAllTest {

  public PostByPlainWritePlanted() {
    super(new PlainMailbox());
  }

  @Actor
  @Override
  public void releaser() {
    super.releaser();
  }

  @Actor
  @Override
  public void holder() {
    super.holder();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }

  private record Node(int page, @Nullable Node next) {}

  private static final class PlainMailbox implements Notices {

    private final AtomicReference<@Nullable Node> head = new AtomicReference<>();

    @Override
    public void post(int page) {
      head.set(new Node(page, head.get())); // whatever was posted in between is lost
    }

    @Override
    public int takeAll() {
      int taken = 0;
      for (Node node = head.getAndSet(null); node != null; node = node.next()) {
        taken += Notices.digit(node.page());
      }
      return taken;
    }
  }
}
