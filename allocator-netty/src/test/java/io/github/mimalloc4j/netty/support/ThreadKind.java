package io.github.mimalloc4j.netty.support;

import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The kinds of threads that programs allocate on. */
public enum ThreadKind {
  /** The thread of an event loop with channels. */
  NIO_EVENT_LOOP,
  /** The thread of an event executor without channels. */
  EVENT_EXECUTOR,
  /** The thread of an event loop, by a factory that knows nothing of Netty. */
  PLAIN_EVENT_LOOP,
  /** A thread of the program's own that drives an event loop. */
  MANUAL_EVENT_LOOP,
  PLAIN,
  /** From JDK 21 on. */
  VIRTUAL,
  /** A virtual thread with an event loop, of which Netty was told. */
  VIRTUAL_EVENT_LOOP;

  private static final boolean HAS_VIRTUAL = Runtime.version().feature() >= 21;

  /** Those that this JVM and this line of Netty have. */
  public static ThreadKind[] available() {
    return Stream.of(values()).filter(ThreadKind::isAvailable).toArray(ThreadKind[]::new);
  }

  private boolean isAvailable() {
    return switch (this) {
      case NIO_EVENT_LOOP, EVENT_EXECUTOR, PLAIN_EVENT_LOOP, PLAIN -> true;
      case MANUAL_EVENT_LOOP -> NettyLine.CURRENT == NettyLine.V4_2;
      case VIRTUAL -> HAS_VIRTUAL;
      case VIRTUAL_EVENT_LOOP -> HAS_VIRTUAL && NettyLine.knowsVirtualThreads();
    };
  }

  /** The kinds whose threads run an executor of a {@link Group}. */
  public static Stream<ThreadKind> ofExecutors() {
    return Stream.of(available()).filter(ThreadKind::isInGroups);
  }

  /** Each kind with the bytes of a small, a large and a huge buffer, direct and heap. */
  public static Stream<Arguments> withBuffers() {
    return Stream.of(100, 200_000, 9 << 20)
        .flatMap(
            bytes ->
                Stream.of(available())
                    .flatMap(
                        kind ->
                            Stream.of(
                                Arguments.of(kind, bytes, true),
                                Arguments.of(kind, bytes, false))));
  }

  private boolean isInGroups() {
    return ownsHeap() && this != MANUAL_EVENT_LOOP;
  }

  /** Whether its threads own a heap each. */
  public boolean ownsHeap() {
    return this != PLAIN && this != VIRTUAL;
  }

  /** Starts a thread that ends with the task. */
  public Thread launch(Runnable task) {
    if (!ownsHeap()) {
      return this == PLAIN ? startPlain(task) : startVirtual(task);
    }
    if (this == MANUAL_EVENT_LOOP) {
      return startPlain(() -> ManualLoop.run(task));
    }
    Group group = new Group(this, 1);
    group.executors.execute(
        () -> {
          try {
            task.run();
          } finally {
            group.endSoon();
          }
        });
    return group.threads.get(0);
  }

  /** Runs the task on a thread of its own, waits for the thread's end, and rethrows. */
  public <T> T call(Callable<T> task) {
    return start(task, this::launch).end();
  }

  /**
   * Starts a thread that ends with the task. Prints what the task throws, in case its partners wait
   * for it until the test fails.
   */
  public <T> Running<T> start(Callable<T> task) {
    return start(
        () -> {
          try {
            return task.call();
          } catch (Throwable e) {
            e.printStackTrace();
            throw e;
          }
        },
        this::launch);
  }

  /** Has somebody start a thread that ends with the task. */
  static <T> Running<T> start(Callable<T> task, Function<Runnable, Thread> launcher) {
    Running<T> running = new Running<>();
    running.thread =
        launcher.apply(
            () -> {
              try {
                running.result.set(task.call());
              } catch (Throwable t) {
                running.failure.set(t);
              }
            });
    return running;
  }

  private static Thread startPlain(Runnable task) {
    Thread thread = new Thread(task, "plain");
    thread.start();
    return thread;
  }

  private static Thread startVirtual(Runnable task) {
    Thread thread = newVirtual(task);
    thread.start();
    return thread;
  }

  private static Thread newVirtual(Runnable task) {
    try { // by reflection, for this is compiled for JDK 17
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Method unstarted =
          Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class);
      return (Thread) unstarted.invoke(builder, task);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for the end of a thread. */
  public static void join(Thread thread) {
    new Deadline().join(thread);
  }

  /** A thread with a task. */
  public static final class Running<T> {
    private final AtomicReference<T> result = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private Thread thread;

    public Thread thread() {
      return thread;
    }

    /** Waits for the end of the thread, not of the task only, and rethrows what the task threw. */
    public T end() {
      return end(new Deadline());
    }

    /** The same until a deadline. */
    public T end(Deadline deadline) {
      deadline.join(thread);
      if (failure.get() != null) {
        throw new AssertionError("on another thread: " + failure.get(), failure.get());
      }
      return result.get();
    }
  }

  /** Event executors that live on between tasks. */
  public static final class Group implements AutoCloseable {
    public final EventExecutorGroup executors;
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

    public Group(ThreadKind kind, int size) {
      DefaultThreadFactory factory =
          new DefaultThreadFactory(kind.name(), true) {
            @Override
            protected Thread newThread(Runnable task, String name) {
              Thread thread = super.newThread(task, name);
              threads.add(thread);
              return thread;
            }
          };
      executors =
          switch (kind) {
            case NIO_EVENT_LOOP -> NettyLine.CURRENT.eventLoops(size, factory);
            case EVENT_EXECUTOR -> new DefaultEventExecutorGroup(size, factory);
            case PLAIN_EVENT_LOOP ->
                NettyLine.CURRENT.eventLoops(
                    size,
                    task -> {
                      Thread thread = new Thread(task, kind.name());
                      thread.setDaemon(true);
                      threads.add(thread);
                      return thread;
                    });
            case VIRTUAL_EVENT_LOOP ->
                NettyLine.CURRENT.eventLoops(
                    size,
                    task -> {
                      Runnable told = () -> FastThreadLocalThread.runWithFastThreadLocal(task);
                      Thread thread = newVirtual(told);
                      threads.add(thread);
                      return thread;
                    });
            default -> throw new IllegalArgumentException("no executors: " + kind);
          };
    }

    /** Runs the task on the next executor, waits for it, and rethrows. */
    public <T> T call(Callable<T> task) {
      try {
        return executors.next().submit(task).get();
      } catch (Exception e) {
        throw new AssertionError("on another thread: " + e, e);
      }
    }

    private void endSoon() {
      executors.shutdownGracefully(0, 1, TimeUnit.MINUTES);
    }

    /** Waits for the end of the threads: their futures are done a little before that. */
    @Override
    public void close() {
      endSoon();
      Deadline deadline = new Deadline();
      deadline.awaitEnd(executors.terminationFuture(), "executors with " + threads);
      threads.forEach(deadline::join);
    }
  }
}
