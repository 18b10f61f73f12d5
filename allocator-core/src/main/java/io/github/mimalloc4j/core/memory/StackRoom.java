package io.github.mimalloc4j.core.memory;

/**
 * Checks that the calling thread's stack has room for an operation that would lose memory if it
 * were cut short. The JDK has {@code jdk.internal.vm.annotation.ReservedStackAccess} for that (JEP
 * 270), which other code cannot use.
 */
public final class StackRoom {

  /**
   * Frames that take more stack than the code of a memory source does: some 16 to 50 KiB compiled,
   * when the check takes one or two microseconds, and 100 KiB interpreted.
   */
  private static final int FRAMES = 1000;

  /**
   * Frames that take more stack than this library alone does, even if these frames are compiled, of
   * 16 bytes or little more, and the library is interpreted.
   */
  private static final int OWN_FRAMES = 128;

  private StackRoom() {}

  /**
   * Does nothing if there is room for an operation that may call the memory source.
   *
   * @throws StackOverflowError if there is not; call this while nothing has changed
   */
  public static void require() {
    descend(FRAMES);
  }

  /**
   * Does nothing if there is room for an operation of this library alone.
   *
   * @throws StackOverflowError if there is not; call this while nothing has changed
   */
  public static void requireOwn() {
    descend(OWN_FRAMES);
  }

  /** Adds after the call, so that no compiler makes a loop of it. */
  private static int descend(int left) {
    return left == 0 ? 0 : descend(left - 1) + 1;
  }
}
