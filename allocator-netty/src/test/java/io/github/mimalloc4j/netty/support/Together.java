package io.github.mimalloc4j.netty.support;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Runs tasks on several threads at the same time and waits for all of them. */
public final class Together {

  private Together() {}

  /** Runs each task on an executor of its own; there are at least as many. */
  public static <T> List<T> on(ThreadKind.Group group, List<Callable<T>> tasks) {
    Iterator<EventExecutor> executors = group.executors.iterator();
    List<Future<T>> futures = new ArrayList<>();
    for (Callable<T> task : tasks) {
      futures.add(executors.next().submit(task));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException | InterruptedException e) {
        throw new AssertionError("on another thread: " + e, e);
      }
    }
    return results;
  }

  /** Runs each task on a new thread, and waits for the end of the threads. */
  public static <T> List<T> on(ThreadKind kind, List<Callable<T>> tasks) {
    List<ThreadKind.Running<T>> running = new ArrayList<>();
    tasks.forEach(task -> running.add(kind.start(task)));
    List<T> results = new ArrayList<>();
    running.forEach(each -> results.add(each.end()));
    return results;
  }
}
