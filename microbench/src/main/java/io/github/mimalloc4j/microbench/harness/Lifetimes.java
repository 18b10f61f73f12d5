package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Holds buffers until their time has come: each step takes one in and releases those whose lifetime
 * is over.
 *
 * <p>Which steps release what is worked out beforehand; a step reads its part of a table in order.
 * One thread only.
 */
public final class Lifetimes {
  /** Steps before the script repeats; no buffer lives that long. */
  private static final int STEPS = 1 << 16;

  private static final int STEP_MASK = STEPS - 1;

  /** {@code held[i]} was taken in by step {@code i}. */
  private final @Nullable ByteBuf[] held = new ByteBuf[STEPS];

  /** The indexes that are due, step by step. */
  private final int[] due = new int[STEPS];

  /** Step {@code i} releases {@code due[dueFrom[i]]} to {@code due[dueFrom[i + 1] - 1]}. */
  private final int[] dueFrom = new int[STEPS + 1];

  private int step;

  /** Works out the script; lifetimes are in steps, at least 1, and less than 65,536. */
  public Lifetimes(SizePattern lifetimes, long seed) {
    int[] drawn = lifetimes.draw(STEPS, seed);
    for (int i = 0; i < STEPS; i++) {
      if (drawn[i] >= STEPS) {
        throw new IllegalArgumentException("a lifetime of " + drawn[i] + " steps is too long");
      }
      dueFrom[((i + drawn[i]) & STEP_MASK) + 1]++;
    }
    for (int i = 0; i < STEPS; i++) {
      dueFrom[i + 1] += dueFrom[i];
    }
    int[] next = dueFrom.clone();
    for (int i = 0; i < STEPS; i++) {
      due[next[(i + drawn[i]) & STEP_MASK]++] = i;
    }
  }

  public void hold(ByteBuf buffer) {
    int now = step++ & STEP_MASK;
    held[now] = buffer;
    for (int i = dueFrom[now]; i < dueFrom[now + 1]; i++) {
      ByteBuf old = held[due[i]];
      if (old != null) { // else from before the first step
        held[due[i]] = null;
        BufferCalls.release(old);
      }
    }
  }

  public void releaseAll() {
    for (int i = 0; i < STEPS; i++) {
      ByteBuf left = held[i];
      if (left != null) {
        held[i] = null;
        BufferCalls.releaseLast(left);
      }
    }
  }

  public long liveBytes() {
    long sum = 0;
    for (ByteBuf buffer : held) {
      if (buffer != null) {
        sum += buffer.capacity();
      }
    }
    return sum;
  }
}
