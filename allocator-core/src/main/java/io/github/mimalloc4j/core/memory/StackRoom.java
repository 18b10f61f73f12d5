package io.github.mimalloc4j.core.memory;

/**
 * Checks that the calling thread's stack has room for an operation that would lose memory if it
 * were cut short. The JDK has {@code jdk.internal.vm.annotation.ReservedStackAccess} for that (JEP
 * 270), which other code cannot use.
 */
final class StackRoom {

  /**
   * Frames that take more stack than what follows: some 20 to 50 KiB compiled, when the check takes
   * one or two microseconds, and 100 KiB interpreted.
   */
  private static final int FRAMES = 1000;

  private StackRoom() {}

  /**
   * Does nothing if there is room.
   *
   * @throws StackOverflowError if there is not; call this while nothing has changed
   */
  static void require() {
    descend(FRAMES);
  }

  /** Adds after the call, so that no compiler makes a loop of it. */
  private static int descend(int left) {
    return left == 0 ? 0 : descend(left - 1) + 1;
  }
}
