package io.github.mimalloc4j.netty.support;

/** Where the stack of the calling thread ends. */
public final class StackEnd {

  private StackEnd() {}

  /**
   * Runs an operation at each depth from the end of the stack up. What it does not complete for
   * lack of stack is its own affair.
   */
  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  public static void run(Runnable operation) {
    try {
      run(operation);
    } catch (StackOverflowError e) {
      // Now there is room for some frames.
    }
    try {
      operation.run();
    } catch (StackOverflowError e) {
      // The caller has more room.
    }
  }
}
