package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.trace.ThreadRole;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All lanes of a program on threads of their own, which stay from pass to pass. */
final class Players implements AutoCloseable {
  /** Time for all threads to begin before the first operation is due. */
  private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Program program;
  private final Positions positions;
  private final List<Player> players = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Players(Program program, Supplier<Work> work) {
    this.program = program;
    positions = new Positions(program.lanes.size());
    for (Lane lane : program.lanes) {
      ExecutorService executor = kind(lane.role).newExecutor(1);
      players.add(new Player(lane, program, positions, work.get(), executor, failure));
    }
  }

  /** On a JDK without virtual threads plain ones take their place. */
  static ThreadKind kind(ThreadRole role) {
    ThreadKind kind =
        switch (role) {
          case EVENT_LOOP -> ThreadKind.NIO_EVENT_LOOP;
          case PLAIN -> ThreadKind.PLAIN;
          case VIRTUAL -> ThreadKind.VIRTUAL;
        };
    return ThreadKind.available().contains(kind) ? kind : ThreadKind.PLAIN;
  }

  /** Plays the whole as fast as it can. */
  ReplayRun.Figures playFast(Set<Long> threadsLeftOut) throws Exception {
    return play(Long.MAX_VALUE, false, threadsLeftOut);
  }

  /** Plays the beginning at the pace at which it was recorded. */
  ReplayRun.Figures playAtRecordedPace(long nanos, Set<Long> threadsLeftOut) throws Exception {
    return play(nanos, true, threadsLeftOut);
  }

  private ReplayRun.Figures play(long limit, boolean paced, Set<Long> leftOut) throws Exception {
    CountDownLatch latch = new CountDownLatch(players.size());
    for (int i = 0; i < players.size(); i++) {
      players.get(i).prepare(program.lanes.get(i).countUpTo(limit), latch);
    }
    onEach(Player::playPrologue);
    // What virtual threads take while they wait for each other cannot be told from their work.
    boolean eachSlice = paced || hasVirtualThreads();
    CpuTime before = CpuTime.now(leftOut);
    long start = System.nanoTime() + (paced ? HEAD_START_NANOS : 0);
    players.forEach(player -> player.start(paced, start, eachSlice));
    latch.await();
    CpuTime after = CpuTime.now(leftOut);
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("the replay failed: " + cause, cause);
    }
    long worked =
        eachSlice
            ? players.stream().mapToLong(Player::workedNanos).sum()
            : after.nanosSince(before) - players.stream().mapToLong(Player::waitedNanos).sum();
    long allocations = players.stream().mapToLong(Player::allocations).sum();
    long measuredReleases = players.stream().mapToLong(Player::releases).sum();
    onEach(Player::cleanUp);
    long released = players.stream().mapToLong(Player::releases).sum();
    if (released != allocations) {
      throw new IllegalStateException(
          "of " + allocations + " buffers " + released + " were released");
    }
    long measuredAllocations =
        allocations - program.lanes.stream().mapToLong(lane -> lane.prologue).sum();
    return new ReplayRun.Figures(
        measuredAllocations, measuredReleases, worked, after.javaBytesSince(before));
  }

  private boolean hasVirtualThreads() {
    return program.lanes.stream().anyMatch(lane -> kind(lane.role) == ThreadKind.VIRTUAL);
  }

  /** Has each player do something on its lane's thread, and waits for all of them. */
  private void onEach(Consumer<Player> task) throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (Player player : players) {
      all.add(player.executor().submit(() -> task.accept(player)));
    }
    for (Future<?> one : all) {
      one.get();
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (Player player : players) {
      ThreadKind.close(player.executor());
    }
  }
}
