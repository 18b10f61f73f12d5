package io.github.mimalloc4j.microbench.footprint;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The phase in which threads of all kinds are started and end with live buffers, a few at a time.
 * What they leave behind, threads of another kind release.
 */
final class ThreadChurn {
  private static final int AT_A_TIME = 10;

  /** What is live when a thread ends, in bytes, and how many buffers it replaced before. */
  private static final int LEFT_BEHIND = 1 << 20;

  private static final int REPLACEMENTS = 1000;

  private static final int SEED = 600;

  private final LiveMemory memory;
  private final Runnable betweenRounds;
  private final FootprintPlan plan;

  /** What the threads of this round leave behind, and what those of earlier ones did. */
  private final Queue<List<ByteBuf>> leftBehind = new ConcurrentLinkedQueue<>();

  private final Queue<List<ByteBuf>> toRelease = new ConcurrentLinkedQueue<>();
  private final AtomicInteger started = new AtomicInteger();

  /**
   * Prepares the phase.
   *
   * @param betweenRounds is run when some threads have ended and no others have been started
   */
  ThreadChurn(LiveMemory memory, FootprintPlan plan, Runnable betweenRounds) {
    this.betweenRounds = betweenRounds;
    this.memory = memory;
    this.plan = plan;
  }

  void run() throws Exception {
    List<ThreadKind> kinds = ThreadKind.available();
    int rounds = (plan.threads() + AT_A_TIME - 1) / AT_A_TIME;
    Pacer.run(
        rounds * kinds.size(),
        plan.part(1),
        step -> {
          int round = (step - 1) / kinds.size();
          int threads = Math.min(AT_A_TIME, plan.threads() - round * AT_A_TIME);
          kinds.get(step % kinds.size()).run(threads, this::liveAndEnd);
          betweenRounds.run();
          toRelease.addAll(leftBehind);
          leftBehind.clear();
        });
    while (!toRelease.isEmpty()) {
      releaseOne();
    }
  }

  /** What each thread does. */
  private void liveAndEnd() {
    releaseOne();
    BufferSet own = new BufferSet(memory, Sizes.webSocketProxy(), SEED + started.getAndIncrement());
    own.fillTo(LEFT_BEHIND);
    own.replace(REPLACEMENTS);
    leftBehind.add(own.removeAll());
  }

  /**
   * Releases what one thread left behind: the round before was of another kind, if there is one.
   */
  private void releaseOne() {
    List<ByteBuf> buffers = toRelease.poll();
    if (buffers != null) {
      buffers.forEach(memory::release);
    }
  }
}
