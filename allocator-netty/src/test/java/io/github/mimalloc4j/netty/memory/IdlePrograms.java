package io.github.mimalloc4j.netty.memory;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.CountingEventLoop;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.threads.UpkeepThread;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.util.List;

/**
 * Programs whose JVM has no upkeep but their own, and that look at what is scheduled or at how the
 * JVM ends. They end with another exit code than 0 if something is not right.
 */
public final class IdlePrograms {

  private static final int MIB = 1 << 20;
  private static final int HOUR_MILLIS = 3_600_000;

  private IdlePrograms() {}

  static void begin() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  /** Null if there is none. */
  static Thread upkeepThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(UpkeepThread.NAME))
        .findAny()
        .orElse(null);
  }

  private static boolean upkeepThreadLives() {
    return upkeepThread() != null;
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  /** Of an event loop's heap, and of what nobody owns. */
  public static final class TrimInAnHour {
    public static void main(String[] args) {
      begin();
      MiMallocByteBufAllocator allocator =
          MiMallocByteBufAllocator.builder().trimDelayMillis(HOUR_MILLIS).build();
      try (CountingEventLoop loop = new CountingEventLoop()) {
        for (int round = 0; round < 100; round++) {
          int seed = round;
          List<ByteBuf> live = loop.call(() -> Burst.live(allocator, true, MIB, seed));
          live.subList(0, live.size() / 2).forEach(ByteBuf::release);
          loop.call(
              () -> {
                live.subList(live.size() / 2, live.size()).forEach(ByteBuf::release);
                return null;
              });
          require(loop.scheduled() == 1, loop.scheduled() + " tasks were scheduled");
        }
        require(allocator.metric().usedDirectMemory() > 0, "nothing is left to be trimmed");
      } // does not wait for an hour
    }
  }

  /** With something live and with nothing live. */
  public static final class UpkeepThreadEnds {
    public static void main(String[] args) throws Exception {
      begin();
      MiMallocByteBufAllocator allocator = Idle.newAllocator();
      try (CountingEventLoop loop = new CountingEventLoop()) {
        List<ByteBuf> ofLoop = loop.call(() -> Burst.live(allocator, true, 16 * MIB, 1));
        List<ByteBuf> ofMain = Burst.live(allocator, true, 16 * MIB, 2);
        for (int n = 0; n < 10; n++) {
          ofLoop.remove(0).release();
          ofMain.remove(0).release();
        }
        requireNoUpkeepThread(loop);
        boolean seen = releaseAndLookForUpkeep(ofLoop) | releaseAndLookForUpkeep(ofMain);
        require(seen, "there is no upkeep, or it has another name");
        requireNoUpkeepThread(loop);
      }
      require(
          allocator.metric().usedDirectMemory() <= Idle.RETAINED_BYTES,
          allocator.metric().usedDirectMemory() + " bytes did not come back");
    }

    /** Looks again and again: while this thread has no CPU, the upkeep thread may end. */
    private static boolean releaseAndLookForUpkeep(List<ByteBuf> buffers) {
      boolean seen = false;
      for (int n = 0; n < buffers.size(); n++) {
        buffers.get(n).release();
        if (n % 20 == 0 || n == buffers.size() - 1) {
          seen |= upkeepThreadLives();
        }
      }
      return seen;
    }

    private static void requireNoUpkeepThread(CountingEventLoop loop) throws Exception {
      loop.awaitQuiet(); // its trim may be late, and starts the thread
      Patience.await().until(() -> !upkeepThreadLives());
      loop.awaitQuiet();
      int submitted = loop.submitted();
      for (int n = 0; n < 10; n++) {
        Thread.sleep(Idle.TRIM_DELAY_MILLIS);
        require(!upkeepThreadLives(), "it came again");
      }
      require(loop.submitted() == submitted, "tasks were submitted to an idle event loop");
    }
  }

  /** Event loops that are daemons, memory that is due to be given back, and no shutdown. */
  public static final class MainReturns {
    public static void main(String[] args) {
      begin();
      ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 2);
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      List<ByteBuf> ofLoop = loops.call(() -> Burst.live(allocator, true, 16 * MIB, 1));
      ofLoop.forEach(ByteBuf::release);
      Burst.live(allocator, true, 16 * MIB, 2).forEach(ByteBuf::release);
      require(upkeepThreadLives(), "nothing is due");
    }
  }
}
