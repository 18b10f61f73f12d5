package io.github.mimalloc4j.netty.memory;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import java.util.function.Consumer;

/** What an application may be that comes and goes in a JVM that lives on, as in a web container. */
public final class UserProgram implements Consumer<MiMallocByteBufAllocator> {

  private static final InheritableThreadLocal<UserProgram> CURRENT = new InheritableThreadLocal<>();

  /** The threads of the application. */
  public static final class Threads extends ThreadGroup {
    /** One that is gone with its last thread. */
    @SuppressWarnings("removal") // until JDK 18 it would be kept otherwise
    public Threads() {
      super("user");
      setDaemon(true);
    }
  }

  /** Uses the default allocator. */
  public static final class First implements Runnable {
    @Override
    public void run() {
      MiMallocByteBufAllocator.DEFAULT.directBuffer(100).release();
    }
  }

  @Override
  public void accept(MiMallocByteBufAllocator allocator) {
    CURRENT.set(this);
    allocator.directBuffer(100).release();
    allocator.heapBuffer(100).release();
  }
}
