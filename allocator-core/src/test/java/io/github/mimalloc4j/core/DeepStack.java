package io.github.mimalloc4j.core;

import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs an operation again and again where the stack ends, so that it ends within the operation. */
public final class DeepStack {

  private static final int STACK_BYTES = 512 * 1024;

  /** Frames of several sizes, so that the stack ends at many places. */
  public static final int FRAMES = 7;

  private final int most;
  private final Runnable operation;
  private int overflows;
  private @Nullable Throwable unexpected;

  private DeepStack(int most, Runnable operation) {
    this.most = most;
    this.operation = operation;
  }

  /**
   * Runs an operation at all depths of several threads, one after the other.
   *
   * @param before run by each thread first
   * @return how often the stack was not sufficient
   * @throws AssertionError if something else was thrown
   */
  public static int run(Runnable before, Runnable operation) throws InterruptedException {
    int overflows = 0;
    for (int most = 1; most <= FRAMES; most++) {
      DeepStack stack = new DeepStack(most, operation);
      Thread thread =
          new Thread(
              null,
              () ->
                  stack.attempt(
                      () -> {
                        before.run();
                        stack.descend(0);
                      }),
              "deep",
              STACK_BYTES);
      thread.setDaemon(true);
      thread.start();
      thread.join();
      overflows += stack.overflows;
      if (stack.unexpected != null) {
        throw new AssertionError("where the stack ends", stack.unexpected);
      }
    }
    return overflows;
  }

  /**
   * As {@link #run}, where the operation is tried once on each of some elements, of which there may
   * be fewer than frames.
   *
   * @param before run by each thread first. Adds those elements that the thread tries
   * @param elements emptied by each thread after that
   * @return how many operations were cut short, where others were not
   */
  public static <T> int runOnEach(
      Runnable before, Collection<T> elements, Consumer<? super T> operation)
      throws InterruptedException {
    OnEach<T> each = new OnEach<>(operation);
    run(
        () -> {
          before.run();
          each.take(elements);
        },
        each);
    if (each.completed == 0) {
      throw new AssertionError("all of " + each.begun + " operations were cut short");
    }
    return each.begun - each.completed;
  }

  /** Uses an array, for the stack's end would break a collection, and then nothing is tried. */
  private static final class OnEach<T> implements Runnable {

    private final Consumer<? super T> operation;
    private Object[] left = {};
    private int next;
    private int begun;
    private int completed;

    OnEach(Consumer<? super T> operation) {
      this.operation = operation;
    }

    void take(Collection<T> elements) {
      left = elements.toArray();
      next = 0;
      elements.clear();
    }

    /** Makes no call but the operation. */
    @SuppressWarnings("unchecked") // filled with T only
    @Override
    public void run() {
      if (next < left.length) {
        T element = (T) left[next];
        next++;
        begun++;
        operation.accept(element);
        completed++;
      }
    }
  }

  private void descend(long depth) {
    try {
      switch ((int) (depth % most)) {
        case 0 -> descend(depth + 1);
        case 1 -> descend(depth + 1, 0);
        default -> descend(depth + 1, 0, 0, 0);
      }
    } finally {
      attempt(operation);
    }
  }

  private void descend(long depth, long a) {
    try {
      descend(depth + 1 + a);
    } finally {
      attempt(operation);
    }
  }

  private void descend(long depth, long a, long b, long c) {
    try {
      descend(depth + 1 + a + b + c);
    } finally {
      attempt(operation);
    }
  }

  private void attempt(Runnable operation) {
    try {
      operation.run();
    } catch (Throwable e) {
      Throwable cause = e; // where the JVM links or initialises something, an error has a cause
      while (cause != null && !(cause instanceof StackOverflowError)) {
        cause = cause.getCause();
      }
      if (cause != null) {
        overflows++;
      } else {
        unexpected = e;
      }
    }
  }
}
