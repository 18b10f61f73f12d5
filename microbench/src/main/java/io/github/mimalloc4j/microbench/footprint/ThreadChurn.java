package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;

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

  private final PhaseContext context;
  private final LiveMemory memory;

  /** What the threads of this round leave behind, and what those of earlier ones did. */
  private final Queue<List<ByteBuf>> leftBehind = new MpmcAtomicArrayQueue<>(AT_A_TIME);

  private final Queue<List<ByteBuf>> toRelease = new MpmcAtomicArrayQueue<>(2 * AT_A_TIME);
  private final AtomicInteger started = new AtomicInteger();

  ThreadChurn(PhaseContext context) {
    this.context = context;
    memory = context.memory();
  }

  void run() throws Exception {
    List<ThreadKind> kinds =
        ThreadKind.available().stream().filter(kind -> kind != ThreadKind.EVENT_EXECUTOR).toList();
    int threads = context.plan().threads();
    int rounds = (threads + AT_A_TIME - 1) / AT_A_TIME;
    context.paced(
        rounds * kinds.size(),
        1,
        step -> {
          int round = (step - 1) / kinds.size();
          int now = Math.min(AT_A_TIME, threads - round * AT_A_TIME);
          kinds.get(step % kinds.size()).runOnEach(now, this::liveAndEnd);
          context.atHeight().run();
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
    int seed = SEED + started.getAndIncrement();
    BufferSet own = new BufferSet(memory, BufferSet.WEB_SOCKET_PROXY, seed);
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
