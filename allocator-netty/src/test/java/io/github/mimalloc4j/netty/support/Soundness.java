package io.github.mimalloc4j.netty.support;

import static io.github.mimalloc4j.netty.support.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.Invariants;
import io.github.mimalloc4j.netty.Insides;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.threads.UpkeepThread;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** What must hold of an allocator while no thread is inside it. */
public final class Soundness {

  private Soundness() {}

  /** Upkeep in the background waits meanwhile, for the check runs on its thread. */
  public static void assertSound(MiMallocByteBufAllocator allocator) {
    duringNoUpkeep(
        () -> {
          Invariants.check(Insides.directHeaps(allocator).blockAllocator());
          Invariants.check(Insides.arrayHeaps(allocator).blockAllocator());
        });
  }

  public static void duringNoUpkeep(Runnable task) {
    FutureTask<?> check = new FutureTask<>(task, null);
    UpkeepThread.execute(check, 0);
    try {
      check.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sound, and nothing is in use. */
  public static void assertNothingLive(MiMallocByteBufAllocator allocator) {
    assertSound(allocator);
    duringNoUpkeep( // a block that is being collected would count as pinned
        () -> {
          assertThat(allocator.metric().pinnedDirectMemory()).as("pinned direct memory").isZero();
          assertThat(allocator.metric().pinnedHeapMemory()).as("pinned heap memory").isZero();
        });
  }

  /**
   * As {@link #assertNothingLive}, and after a trim no memory is held either. For when every thread
   * with a heap of its own has ended.
   */
  public static void assertNothingHeld(MiMallocByteBufAllocator allocator) {
    assertNothingLive(allocator);
    awaitNothingUsed(allocator);
    assertSound(allocator);
  }

  /**
   * Trims until no memory is used. Once is enough unless upkeep is busy with the same memory just
   * then: a machine under load may keep it from going on.
   */
  public static void awaitNothingUsed(MiMallocByteBufAllocator allocator) {
    await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .untilAsserted(
            () -> {
              allocator.trim();
              assertThat(allocator.metric().usedDirectMemory()).as("used direct memory").isZero();
              assertThat(allocator.metric().usedHeapMemory()).as("used heap memory").isZero();
            });
  }

  public static ByteBuf allocate(MiMallocByteBufAllocator allocator, boolean direct, int bytes) {
    return direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
  }

  /** The bytes obtained for buffers of the kind. */
  public static long used(MiMallocByteBufAllocator allocator, boolean direct) {
    return direct ? allocator.metric().usedDirectMemory() : allocator.metric().usedHeapMemory();
  }

  /** The bytes of the block that the buffer is bound to. */
  public static int blockBytes(ByteBuf buffer) {
    return ((MiMallocByteBuf) buffer).blockBytes();
  }
}
