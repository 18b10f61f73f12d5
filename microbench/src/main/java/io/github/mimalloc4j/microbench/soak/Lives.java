package io.github.mimalloc4j.microbench.soak;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads: some of each kind, and when one has ended, another of its kind. Event loops begin
 * and end in groups.
 *
 * <p>For one thread, which is told of lives that have ended when it {@linkplain #tend tends}.
 */
final class Lives {
  /** Threads that take longer to stop than this wait for each other, or for ever. */
  private static final Duration STUCK = Duration.ofSeconds(60);

  /** Done while nothing moves. */
  @FunctionalInterface
  interface Inspection {
    void run() throws InterruptedException;
  }

  /**
   * Lives that have ended.
   *
   * @param lives which
   * @param replacement starts others in their place
   */
  private record Ended(List<Life> lives, Replacement replacement) {}

  @FunctionalInterface
  private interface Replacement {
    void start() throws InterruptedException;
  }

  private final Traffic traffic;
  private final SplittableRandom random;
  private final int threadsOfAKind;
  private final Gate gate = new Gate();
  private final Set<Life> living = new LinkedHashSet<>();
  private final List<LoopGroup> groups = new ArrayList<>();
  private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
  private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
  private volatile boolean ending;
  private int started;

  Lives(Traffic traffic, long seed, int threadsOfAKind) {
    this.traffic = traffic;
    random = new SplittableRandom(seed);
    this.threadsOfAKind = threadsOfAKind;
  }

  void start(List<ThreadKind> kinds) {
    for (ThreadKind kind : kinds) {
      if (kind.isEventLoop()) {
        startGroup(kind);
      } else {
        for (int i = 0; i < threadsOfAKind; i++) {
          startThread(kind);
        }
      }
    }
  }

  /** How many have begun. */
  int started() {
    return started;
  }

  /** What the first thread that failed says; null if none did. */
  @Nullable Failure failure() {
    return failure.get();
  }

  /** Starts other lives in the place of those that end within the time. */
  void tend(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    while (failure.get() == null) {
      Ended next = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        return;
      }
      next.lives().forEach(living::remove);
      next.replacement().start();
    }
  }

  /** Stops all threads, event loops among them, for an inspection. */
  void pause(Inspection inspection) throws InterruptedException {
    gate.close();
    try {
      for (LoopGroup group : groups) {
        for (EventExecutor loop : group.executors()) {
          gate.enter();
          loop.execute(this::stopLoop);
        }
      }
      if (!gate.awaitStopped(STUCK)) {
        throw stuck(gate.missing() + " threads did not come to a stop");
      }
      inspection.run();
    } finally {
      gate.open();
    }
  }

  /** The workers; their holdings may be read during a pause. */
  List<Worker> workers() {
    return living.stream().map(Life::worker).toList();
  }

  /** Ends all lives and waits for that. Event loops stay, idle. */
  void end() throws InterruptedException {
    ending = true;
    while (!living.isEmpty()) {
      Ended next = ended.poll(STUCK.toNanos(), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw stuck(living.size() + " threads did not end");
      }
      next.lives().forEach(living::remove);
    }
  }

  /** Ends the event loops, too; all threads, if they have not ended yet. */
  void close() throws InterruptedException {
    if (!living.isEmpty()) {
      try {
        end();
      } catch (SoakFailure e) {
        // What went wrong before is what matters, and why they are stuck. They are daemons.
      }
    }
    for (LoopGroup group : groups) {
      group.close();
    }
    groups.clear();
  }

  private void startThread(ThreadKind kind) {
    SplittableRandom random = nextRandom();
    Life life = begin(kind, random, kind.drawOperations(random));
    gate.enter();
    kind.start("soak-" + kind, () -> live(life));
  }

  private void live(Life life) {
    while (goesOn(life)) {
      Thread.yield(); // a virtual thread would keep its carrier
      gate.pass();
    }
    end(life);
    gate.leave();
    ended.add(new Ended(List.of(life), () -> startThread(life.kind())));
  }

  private void startGroup(ThreadKind kind) {
    LoopGroup group = new LoopGroup(kind, threadsOfAKind);
    groups.add(group);
    SplittableRandom ofGroup = nextRandom();
    int operations = kind.drawOperations(ofGroup);
    List<Life> lives = new ArrayList<>();
    for (int i = 0; i < threadsOfAKind; i++) {
      lives.add(begin(kind, i == 0 ? ofGroup : nextRandom(), operations));
    }
    AtomicInteger left = new AtomicInteger(lives.size());
    Runnable whenEnded =
        () -> {
          if (left.decrementAndGet() == 0) {
            ended.add(new Ended(lives, () -> replace(group, kind)));
          }
        };
    for (int i = 0; i < threadsOfAKind; i++) {
      EventExecutor loop = group.executors().get(i);
      Life life = lives.get(i);
      loop.execute(() -> liveOn(loop, life, whenEnded));
    }
  }

  /** One task for each step: in between, the loop has time for other tasks. */
  private void liveOn(EventExecutor loop, Life life, Runnable whenEnded) {
    if (goesOn(life)) {
      loop.execute(() -> liveOn(loop, life, whenEnded));
    } else {
      end(life);
      whenEnded.run();
    }
  }

  private void replace(LoopGroup group, ThreadKind kind) throws InterruptedException {
    group.close();
    groups.remove(group);
    startGroup(kind);
  }

  private void stopLoop() {
    gate.pass();
    gate.leave();
  }

  private SplittableRandom nextRandom() {
    started++;
    return random.split();
  }

  private Life begin(ThreadKind kind, SplittableRandom random, int operations) {
    Life life = new Life(started, kind, new Worker(traffic, started, random), operations);
    living.add(life);
    return life;
  }

  private boolean goesOn(Life life) {
    try {
      return !ending && life.step();
    } catch (Throwable t) {
      failed(life, t);
      return false;
    }
  }

  private void end(Life life) {
    try {
      life.end();
    } catch (Throwable t) {
      failed(life, t);
    }
  }

  private void failed(Life life, Throwable cause) {
    failure.compareAndSet(
        null, new Failure(life.toString(), Thread.currentThread().getName(), cause));
    ending = true;
  }

  private static SoakFailure stuck(String what) {
    StringBuilder text = new StringBuilder(what).append(" within ").append(STUCK);
    for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
      text.append("\n  ").append(each.getKey());
      for (StackTraceElement frame : each.getValue()) {
        text.append("\n      ").append(frame);
      }
    }
    return new SoakFailure(text.toString());
  }
}
