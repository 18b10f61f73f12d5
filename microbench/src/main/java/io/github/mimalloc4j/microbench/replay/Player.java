package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.trace.TraceOperation;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Plays one lane, on a thread of its kind, a slice at a time: between two of them the thread does
 * what else it has to do, such as an allocator's upkeep on an event loop.
 */
final class Player implements Runnable {
  private static final TraceOperation[] OPERATIONS = TraceOperation.values();
  private static final int SLICE = 1 << 8;

  /** How often, in operations, a lane tells its position; a power of two. */
  private static final int REPORTS = 1 << 6;

  private static final long PAUSE_NANOS = 20_000;

  /** From here on an event loop waits in its selector, as when there is no traffic. */
  private static final long LONG_NANOS = 2_000_000;

  private final Lane lane;
  private final Program program;
  private final Positions positions;
  private final Work work;
  private final ExecutorService executor;
  private final boolean isVirtual;
  private final @Nullable ByteBuf[] buffers;

  // Of a pass. Handed from thread to thread by the executor's queue and the latch.
  private int next;
  private int end;
  private long furthest;
  private boolean paced;
  private boolean timed;
  private long start;
  private CountDownLatch done = new CountDownLatch(0);

  /** Whether the last slice ended with a pause. Then one that does nothing is waiting, too. */
  private boolean waiting;

  private long waitedNanos;
  private long workedNanos;
  private long allocations;
  private long releases;

  /** What went wrong first in any of the players, all of which see it before they wait. */
  private final AtomicReference<@Nullable Throwable> failure;

  Player(
      Lane lane,
      Program program,
      Positions positions,
      Work work,
      ExecutorService executor,
      AtomicReference<@Nullable Throwable> failure) {
    this.lane = lane;
    this.program = program;
    this.positions = positions;
    this.work = work;
    this.executor = executor;
    this.failure = failure;
    isVirtual = Players.kind(lane.role) == ThreadKind.VIRTUAL;
    buffers = new ByteBuf[lane.slotCount];
  }

  /** Prepares a pass; no other is under way. */
  void prepare(int operations, CountDownLatch latch) {
    next = 0;
    end = operations;
    furthest = 0;
    done = latch;
    waiting = false;
    waitedNanos = 0;
    workedNanos = 0;
    allocations = 0;
    releases = 0;
    tellPosition();
  }

  /** Allocates, on the lane's thread, what was live before the recording. */
  void playPrologue() {
    while (next < lane.prologue) {
      operate(next++);
    }
    tellPosition();
  }

  /**
   * Starts it, at the recorded pace from a time on, or as fast as it can.
   *
   * @param eachSlice whether to take the time of the operations apart from all else
   */
  void start(boolean atRecordedPace, long nanoTime, boolean eachSlice) {
    paced = atRecordedPace;
    timed = eachSlice;
    start = nanoTime;
    executor.execute(this);
  }

  @Override
  public void run() {
    try {
      int first = next;
      long before = timed || waiting ? clock() : 0;
      long wait = play();
      if (timed && next > first) {
        workedNanos += clock() - before;
      }
      if (next == end || failure.get() != null) {
        positions.set(lane.number, Long.MAX_VALUE);
        done.countDown();
      } else if (wait > LONG_NANOS && executor instanceof EventExecutorGroup loop) {
        loop.schedule(this, wait, TimeUnit.NANOSECONDS);
      } else {
        if (wait > 0) {
          long idle = waiting && next == first ? before : clock();
          LockSupport.parkNanos(wait);
          waitedNanos += clock() - idle;
        }
        waiting = wait > 0;
        executor.execute(this);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      positions.set(lane.number, Long.MAX_VALUE);
      done.countDown();
    }
  }

  /** Plays a slice; returns how long to wait then, in nanoseconds, or 0. */
  private long play() {
    int sliceEnd = Math.min(end, next + SLICE);
    while (next < sliceEnd) {
      boolean look = (next & REPORTS - 1) == 0 || lane.orders[next] >= furthest;
      if (look && !mayGo()) {
        return PAUSE_NANOS;
      }
      if (paced) {
        long early = start + lane.nanos[next] - System.nanoTime();
        if (early > 0) {
          tellPosition();
          return early;
        }
      }
      if (lane.from[next] != Lane.NOBODY && !receive()) {
        tellPosition();
        return PAUSE_NANOS;
      }
      operate(next++);
    }
    return 0;
  }

  private boolean mayGo() {
    tellPosition();
    if (lane.orders[next] < furthest) {
      return true;
    }
    // A lane that is at its end says so with the greatest number there is.
    furthest = Math.min(positions.last(), Integer.MAX_VALUE) + Positions.WINDOW;
    return lane.orders[next] < furthest;
  }

  private void tellPosition() {
    positions.set(lane.number, next < end ? lane.orders[next] : Long.MAX_VALUE);
  }

  private boolean receive() {
    ByteBuf buffer = program.handovers[lane.from[next]][lane.number].take(lane.arrivals[next]);
    if (buffer != null) {
      buffers[lane.slots[next]] = buffer;
    }
    return buffer != null;
  }

  private void operate(int now) {
    int slot = lane.slots[now];
    ByteBuf buffer;
    switch (OPERATIONS[lane.what[now] & Program.DIRECT - 1]) {
      case ALLOCATE -> {
        buffer = work.allocate((lane.what[now] & Program.DIRECT) != 0, lane.sizes[now]);
        buffers[slot] = buffer;
        allocations++;
      }
      case RESIZE -> {
        buffer = buffers[slot];
        work.resize(buffer, lane.sizes[now]);
      }
      default -> {
        work.release(buffers[slot]);
        buffers[slot] = null;
        releases++;
        return;
      }
    }
    if (lane.to[now] != Lane.NOBODY) {
      buffers[slot] = null;
      program.handovers[lane.number][lane.to[now]].send(buffer);
    }
  }

  /** Of the processor; on a virtual thread, of which no JVM tells that, of the wall. */
  private long clock() {
    return isVirtual ? System.nanoTime() : CpuTime.ofThisThread();
  }

  /** Releases what the pass has left, on this lane's thread, when all players have stopped. */
  void cleanUp() {
    for (int i = 0; i < buffers.length; i++) {
      ByteBuf buffer = buffers[i];
      if (buffer != null) {
        buffers[i] = null;
        work.release(buffer);
        releases++;
      }
    }
    for (Handover[] sender : program.handovers) {
      Handover handover = sender[lane.number];
      if (handover != null) {
        releases += handover.releaseAll(work);
      }
    }
  }

  ExecutorService executor() {
    return executor;
  }

  long waitedNanos() {
    return waitedNanos;
  }

  /** If that was asked for: what the operations took, without all that is between them. */
  long workedNanos() {
    return workedNanos;
  }

  long allocations() {
    return allocations;
  }

  long releases() {
    return releases;
  }
}
