package io.github.mimalloc4j.core.memory;

/**
 * Checks that the calling thread's stack has room for an operation that would lose memory if it
 * were cut short. The JDK has {@code jdk.internal.vm.annotation.ReservedStackAccess} for that (JEP
 * 270), which other code cannot use.
 */
public final class StackRoom {

  /**
   * Frames that take more stack than the code of a memory source does: some 17 to 40 KiB compiled,
   * when the check takes half a microsecond, and 57 KiB interpreted.
   */
  private static final int FRAMES = 350;

  /**
   * Frames that take more stack than this library alone does, even if these frames are compiled, of
   * some 50 bytes, and the library is interpreted.
   */
  private static final int OWN_FRAMES = 48;

  private StackRoom() {}

  /**
   * Does nothing if there is room for an operation that may call the memory source.
   *
   * @throws StackOverflowError if there is not; call this while nothing has changed
   */
  public static void require() {
    descend(FRAMES, 0, 0, 0, 0);
  }

  /**
   * Does nothing if there is room for an operation of this library alone.
   *
   * @throws StackOverflowError if there is not; call this while nothing has changed
   */
  public static void requireOwn() {
    descend(OWN_FRAMES, 0, 0, 0, 0);
  }

  /**
   * Uses its parameters after the call: so no compiler makes a loop of it, and each frame keeps
   * them on the stack, which is faster than more frames.
   */
  private static long descend(int left, long a, long b, long c, long d) {
    return left == 0 ? 0 : descend(left - 1, a, b, c, d) + (a ^ b ^ c ^ d);
  }
}
