package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.workload.VirtualThreads;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** The kinds of threads that programs allocate on. */
enum ThreadKind {
  /** The thread of an event loop with channels. */
  NIO_EVENT_LOOP(15, 20),
  /** The thread of an event executor without channels. */
  EVENT_EXECUTOR(15, 20),
  /** A thread that Netty knows nothing of. */
  PLAIN(9, 19),
  /** From JDK 21 on. */
  VIRTUAL(7, 17);

  private final int leastOperationBits;
  private final int mostOperationBits;

  ThreadKind(int leastOperationBits, int mostOperationBits) {
    this.leastOperationBits = leastOperationBits;
    this.mostOperationBits = mostOperationBits;
  }

  static List<ThreadKind> available() {
    return Arrays.stream(values())
        .filter(kind -> kind != VIRTUAL || VirtualThreads.areThere())
        .toList();
  }

  boolean isEventLoop() {
    return this == NIO_EVENT_LOOP || this == EVENT_EXECUTOR;
  }

  /** How many operations a thread lives for: short lives are as frequent as long ones. */
  int drawOperations(SplittableRandom random) {
    int least = 1 << leastOperationBits + random.nextInt(mostOperationBits - leastOperationBits);
    return least + random.nextInt(least);
  }

  /** Starts a thread that is no event loop's. */
  void start(String name, Runnable task) {
    if (this == VIRTUAL) {
      VirtualThreads.start(task);
    } else {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
