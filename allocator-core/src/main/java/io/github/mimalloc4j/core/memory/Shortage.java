package io.github.mimalloc4j.core.memory;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers that the memory source had nothing left and took long to find out. Before the JDK
 * refuses direct memory, it has the garbage collected and waits for half a second.
 *
 * <p>After that, a request that is not smaller fails without asking the source, for as long as the
 * failure took, unless memory went back meanwhile. Then one thread asks again, while the others
 * still fail at once: another part of the process may have given memory back. If that thread gets
 * memory, all threads may ask again. (A circuit breaker; see M. T. Nygard, "Release It!", 2007.)
 *
 * <p>Thread-safe.
 */
final class Shortage {

  /** A source that fails faster is asked each time. Its error says more than ours. */
  static final long SLOW_NANOS = 250_000_000;

  /** For this many times the duration of a failure, nobody asks for more than is needed. */
  private static final int MODESTY = 20;

  /**
   * A slow failure.
   *
   * @param bytes the bytes that the source did not have
   * @param frees how often memory had gone back to the source before
   * @param nanos how long the failure took
   * @param until when the source is asked again; if the shortage is over, when it was last asked
   * @param over whether the source had that much again
   */
  private record Failure(
      int bytes, long frees, long nanos, long until, boolean over, OutOfMemoryError error) {

    boolean concerns(int bytes, long frees) {
      return frees == this.frees && bytes >= this.bytes;
    }

    Failure askedAgain(long now) {
      return new Failure(bytes, frees, nanos, now + nanos, false, error);
    }

    Failure overAt(long now) {
      return new Failure(bytes, frees, nanos, now, true, error);
    }

    OutOfMemoryError ofAnother(int bytes) {
      OutOfMemoryError another =
          new OutOfMemoryError("No room for " + bytes + " bytes: " + error.getMessage());
      another.initCause(error);
      return another;
    }
  }

  private final LongSupplier nanoTime;
  private final AtomicReference<@Nullable Failure> last = new AtomicReference<>();

  /** Creates an object that remembers nothing yet. */
  Shortage(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Returns whether to ask for that many bytes if fewer would do: a failure for more costs as much
   * as one for what is needed, and what goes back meanwhile seldom makes room for more.
   */
  boolean allowsMore(int bytes) {
    Failure failure = last.get();
    return failure == null
        || bytes < failure.bytes
        || nanoTime.getAsLong() - failure.until >= MODESTY * failure.nanos;
  }

  /**
   * Asks the source, unless that is known to be useless.
   *
   * @param frees how often memory has gone back to the source until now
   * @throws OutOfMemoryError if the source throws it, or is not asked
   */
  Memory allocate(MemorySource source, int bytes, long frees) {
    Failure failure = last.get();
    if (failure != null && !failure.over && failure.concerns(bytes, frees)) {
      if (nanoTime.getAsLong() - failure.until < 0) {
        throw failure.ofAnother(bytes);
      }
      return askAgain(failure, source, bytes, frees);
    }
    return ask(source, bytes, frees);
  }

  private Memory askAgain(Failure failure, MemorySource source, int bytes, long frees) {
    long now = nanoTime.getAsLong();
    Failure asked = failure.askedAgain(now);
    Failure over = failure.overAt(now); // made now: afterwards, its failure would lose the memory
    if (!last.compareAndSet(failure, asked)) {
      throw failure.ofAnother(bytes);
    }
    Memory memory = ask(source, bytes, frees);
    last.compareAndSet(asked, over);
    return memory;
  }

  private Memory ask(MemorySource source, int bytes, long frees) {
    long begin = nanoTime.getAsLong();
    try {
      return source.allocate(bytes);
    } catch (OutOfMemoryError e) {
      long end = nanoTime.getAsLong();
      if (end - begin >= SLOW_NANOS) {
        last.set(new Failure(bytes, frees, end - begin, end + (end - begin), false, e));
      }
      throw e;
    }
  }
}
