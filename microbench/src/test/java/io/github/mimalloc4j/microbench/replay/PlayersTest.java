package io.github.mimalloc4j.microbench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.trace.PlantedTrace;
import io.github.mimalloc4j.microbench.trace.ThreadRole;
import io.github.mimalloc4j.microbench.trace.TraceFile;
import io.github.mimalloc4j.microbench.trace.TraceOperation;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** That each thread does what the trace says, to the very buffers that it says. */
@Timeout(120)
class PlayersTest {
  private static final int OPERATIONS = 30_000;
  private static final List<ThreadRole> LANES =
      List.of(
          ThreadRole.EVENT_LOOP,
          ThreadRole.PLAIN,
          ThreadRole.EVENT_LOOP,
          ThreadRole.VIRTUAL,
          ThreadRole.PLAIN);

  /** Names of buffers: the lane that allocated it, and how many that one had allocated before. */
  private final Map<ByteBuf, String> names = Collections.synchronizedMap(new IdentityHashMap<>());

  private final List<Recorder> recorders = new ArrayList<>();

  @TempDir private Path folder;
  private Path trace;

  @BeforeEach
  void plant() throws Exception {
    trace = folder.resolve("random.trace");
    PlantedTrace.random(trace, LANES, OPERATIONS, 5);
  }

  /** Notes what it has to do, and by which thread; made in the order of the lanes. */
  private class Recorder extends Work {
    final int lane = recorders.size();
    final List<String> done = new ArrayList<>();
    final Set<Thread> threads = Collections.newSetFromMap(new IdentityHashMap<>());
    int allocations;

    private void note(String what) {
      done.add(what);
      threads.add(Thread.currentThread());
    }

    @Override
    ByteBuf allocate(boolean direct, int size) {
      String name = lane + "/" + allocations++;
      note("ALLOCATE " + name + " " + size + (direct ? " direct" : ""));
      ByteBuf buffer = Unpooled.buffer(0);
      names.put(buffer, name);
      return buffer;
    }

    @Override
    void resize(ByteBuf buffer, int size) {
      note("RESIZE " + names.get(buffer) + " " + size);
    }

    @Override
    void release(ByteBuf buffer) {
      note("RELEASE " + names.remove(buffer));
    }
  }

  private Recorder newRecorder() {
    Recorder recorder = new Recorder();
    recorders.add(recorder);
    return recorder;
  }

  private Players players(Supplier<Work> work) throws Exception {
    return new Players(Program.load(trace), work);
  }

  private List<List<String>> expected(long limit) throws Exception {
    List<List<String>> lanes = new ArrayList<>();
    LANES.forEach(lane -> lanes.add(new ArrayList<>()));
    int[] allocations = new int[LANES.size()];
    String[] bySlot = new String[TraceFile.summary(trace).slots()];
    TraceFile.visit(
        trace,
        (operation, nanos, lane, slot, size, direct) -> {
          if (nanos > limit) {
            return;
          }
          if (operation == TraceOperation.ALLOCATE) {
            bySlot[slot] = lane + "/" + allocations[lane]++;
          }
          lanes
              .get(lane)
              .add(
                  operation
                      + " "
                      + bySlot[slot]
                      + (operation == TraceOperation.RELEASE ? "" : " " + size)
                      + (direct ? " direct" : ""));
        });
    return lanes;
  }

  /** What was left is released after that. */
  private void assertDone(List<List<String>> expected) {
    for (int lane = 0; lane < LANES.size(); lane++) {
      List<String> done = recorders.get(lane).done;
      int count = expected.get(lane).size();
      assertThat(done.subList(0, count)).isEqualTo(expected.get(lane));
      assertThat(done.subList(count, done.size())).allMatch(what -> what.startsWith("RELEASE"));
    }
    assertThat(names).isEmpty();
  }

  @Test
  void eachThreadDoesItsOperationsInOrderToTheRightBuffers() throws Exception {
    try (Players players = players(this::newRecorder)) {
      ReplayRun.Figures figures = players.playFast(Set.of());

      assertDone(expected(Long.MAX_VALUE));
      long allocations =
          expected(Long.MAX_VALUE).stream()
              .flatMap(List::stream)
              .filter(what -> what.startsWith("ALLOCATE"))
              .count();
      assertThat(figures.allocations()).isEqualTo(allocations);
      recorders.forEach(recorder -> recorder.done.clear());
      recorders.forEach(recorder -> recorder.allocations = 0);
      players.playFast(Set.of());
      assertDone(expected(Long.MAX_VALUE));
    }
  }

  @Test
  void theBeginningIsPlayedAtItsPace() throws Exception {
    long limit = TimeUnit.MILLISECONDS.toNanos(150);
    try (Players players = players(this::newRecorder)) {
      long start = System.nanoTime();
      players.playAtRecordedPace(limit, Set.of());

      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(limit * 9 / 10);
      assertDone(expected(limit));
    }
  }

  /** A burst of allocations that the program did not make while it was recorded. */
  @Test
  void whatWasLiveBeforeIsAllocatedBeforeTheMeasurement() throws Exception {
    int live = 100;
    PlantedTrace.besidesThoseBefore(trace, live, live);
    int garbage = 1 << 20;
    class First extends Recorder {
      private volatile byte[] last = new byte[0];

      @Override
      ByteBuf allocate(boolean direct, int size) {
        last = new byte[garbage];
        return super.allocate(direct, size);
      }
    }
    Supplier<Work> work =
        () -> {
          Recorder recorder = recorders.isEmpty() ? new First() : new Recorder();
          recorders.add(recorder);
          return recorder;
        };
    try (Players players = players(work)) {
      for (int pass = 0; pass < 2; pass++) {
        ReplayRun.Figures figures = players.playFast(Set.of());
        assertThat(figures.allocations()).isEqualTo(live);
        assertThat(figures.releases()).isEqualTo(live + live / 2);
        assertThat(figures.javaBytes()).isLessThan(live * garbage / 2);
        assertThat(recorders).allMatch(recorder -> recorder.allocations == live);
        assertThat(names).as("what is released at the end too").isEmpty();
        recorders.forEach(recorder -> recorder.allocations = 0);
      }
    }
  }

  @Test
  void threadsAreOfTheRecordedKindsAndStayTheSame() throws Exception {
    try (Players players = players(this::newRecorder)) {
      players.playFast(Set.of());
      players.playFast(Set.of());
    }
    for (int lane = 0; lane < LANES.size(); lane++) {
      assertThat(recorders.get(lane).threads).hasSize(1);
      Thread thread = recorders.get(lane).threads.iterator().next();
      boolean eventLoop = LANES.get(lane) == ThreadRole.EVENT_LOOP;
      assertThat(thread instanceof FastThreadLocalThread).isEqualTo(eventLoop);
      boolean virtual =
          LANES.get(lane) == ThreadRole.VIRTUAL
              && ThreadKind.available().contains(ThreadKind.VIRTUAL);
      assertThat(thread.getClass().getName().contains("Virtual")).isEqualTo(virtual);
    }
  }

  /** What is live at the same time would not be what was. */
  @Test
  void noThreadRunsAheadOfOneThatIsSlow() throws Exception {
    PlantedTrace.separate(trace, 3, 5 * Positions.WINDOW);
    AtomicLong done = new AtomicLong();
    AtomicLong meanwhile = new AtomicLong();
    class Counting extends Work.Pretending {
      private final boolean slow;
      private int own;

      Counting(boolean slow) {
        this.slow = slow;
      }

      @Override
      ByteBuf allocate(boolean direct, int size) {
        done.incrementAndGet();
        if (slow && own++ == 500) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
          meanwhile.set(done.get());
        }
        return super.allocate(direct, size);
      }
    }
    int[] lane = new int[1];
    try (Players players = players(() -> new Counting(lane[0]++ == 1))) {
      ReplayRun.Figures figures = players.playFast(Set.of());
      assertThat(figures.allocations()).isEqualTo(done.get());
    }
    // At least its own, for the others need not have begun. At most 500 allocations of each lane
    // before, and half of what two of three lanes do in the window.
    assertThat(meanwhile).hasValueGreaterThan(500).hasValueLessThan(3 * 500 + Positions.WINDOW / 2);
  }

  /** All that it does in the whole recording may be less than it looks ahead at a time. */
  @Test
  void noThreadRunsAheadThatDoesLittle() throws Exception {
    int between = 500;
    int inWindow = 1 + Positions.WINDOW / (1 + 2 * between);
    PlantedTrace.rareAndBusy(trace, 4 * inWindow, between);
    AtomicLong rare = new AtomicLong();
    AtomicLong meanwhile = new AtomicLong();
    Work counting =
        new Work.Pretending() {
          @Override
          ByteBuf allocate(boolean direct, int size) {
            rare.incrementAndGet();
            return super.allocate(direct, size);
          }
        };
    Work waiting =
        new Work.Pretending() {
          @Override
          ByteBuf allocate(boolean direct, int size) {
            while (rare.get() < inWindow) {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            if (meanwhile.get() == 0) {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
              meanwhile.set(rare.get());
            }
            return super.allocate(direct, size);
          }
        };
    int[] lane = new int[1];
    try (Players players = players(() -> lane[0]++ == 0 ? counting : waiting)) {
      players.playFast(Set.of());
    }
    assertThat(meanwhile).hasValue(inWindow);
    assertThat(rare).hasValue(4 * inWindow);
  }

  @Test
  void theFirstFailureEndsAll() throws Exception {
    Work failing =
        new Work.Pretending() {
          @Override
          ByteBuf allocate(boolean direct, int size) {
            throw new OutOfMemoryError("planted");
          }
        };
    int[] lane = new int[1];
    try (Players players = players(() -> lane[0]++ == 2 ? failing : newRecorder())) {
      assertThatThrownBy(() -> players.playFast(Set.of()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("OutOfMemoryError: planted");
    }
  }
}
