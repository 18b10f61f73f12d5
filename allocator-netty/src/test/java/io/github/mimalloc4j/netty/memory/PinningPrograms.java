package io.github.mimalloc4j.netty.memory;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.Patience;
import io.netty.util.internal.PlatformDependent;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Programs that end with an exception if the library keeps anything of a user. In two of them, the
 * JVM has no upkeep thread at first: a thread of a {@link UserProgram} starts it, and the traffic
 * of others keeps it alive.
 */
final class PinningPrograms {

  private PinningPrograms() {}

  /** Loads the user's classes itself, and all others as its parent does. */
  private static final class UserLoader extends URLClassLoader {
    UserLoader() {
      super(
          new URL[] {UserProgram.class.getProtectionDomain().getCodeSource().getLocation()},
          UserProgram.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(UserProgram.class.getName())) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }

  /** A thread of the user, in the thread group of everybody. */
  static final class OfAThread {
    public static void main(String[] args) throws Exception {
      check(() -> Thread.currentThread().getThreadGroup());
    }
  }

  /** A thread of the user in a thread group of the user. */
  static final class OfAThreadGroup {
    public static void main(String[] args) throws Exception {
      check(null);
    }
  }

  /** Whoever is the first to use the library. */
  static final class OfTheFirst {
    public static void main(String[] args) throws Exception {
      PlatformDependent.hasUnsafe(); // if not, Netty keeps an exception and so the classes below it
      Patience.awaitCleared(List.of(runFirst()));
    }

    private static WeakReference<?> runFirst() throws Exception {
      UserLoader loader = new UserLoader();
      Class<?> first = loader.loadClass(UserProgram.First.class.getName());
      if (first == UserProgram.First.class) {
        throw new AssertionError("the user's classes are not its own");
      }
      ((Runnable) first.getConstructor().newInstance()).run();
      return new WeakReference<>(loader);
    }
  }

  private static void check(Supplier<ThreadGroup> groups) throws Exception {
    IdlePrograms.begin();
    for (int n = 0; n < 5; n++) {
      if (forgetsTheUser(groups)) {
        return;
      }
    }
    throw new AssertionError("the user's thread never started upkeep, or it has always ended");
  }

  /** Returns false if nothing is known: the thread was idle for a second, and ended. */
  private static boolean forgetsTheUser(Supplier<ThreadGroup> groups) throws Exception {
    MiMallocByteBufAllocator allocator = Idle.newAllocator();
    WeakReference<?> loader = runUserProgram(allocator, groups);
    Thread upkeep = IdlePrograms.upkeepThread();
    if (upkeep == null) {
      return false;
    }
    if (upkeep.getPriority() != Thread.NORM_PRIORITY) {
      throw new AssertionError("upkeep has the priority " + upkeep.getPriority());
    }
    for (int n = 0; loader.get() != null; n++) {
      if (n == 100) {
        throw new AssertionError("the user's class loader is still reachable");
      }
      allocator.directBuffer(100_000).release();
      Thread.sleep(Idle.TRIM_DELAY_MILLIS);
      System.gc();
    }
    return IdlePrograms.upkeepThread() == upkeep;
  }

  private static WeakReference<?> runUserProgram(
      MiMallocByteBufAllocator allocator, Supplier<ThreadGroup> groups) throws Exception {
    UserLoader loader = new UserLoader();
    Object program = loader.loadClass(UserProgram.class.getName()).getConstructor().newInstance();
    if (program.getClass() == UserProgram.class) {
      throw new AssertionError("the user's classes are not its own");
    }
    ThreadGroup group =
        groups != null
            ? groups.get()
            : (ThreadGroup)
                loader
                    .loadClass(UserProgram.Threads.class.getName())
                    .getConstructor()
                    .newInstance();
    @SuppressWarnings("unchecked")
    Consumer<MiMallocByteBufAllocator> task = (Consumer<MiMallocByteBufAllocator>) program;
    Thread thread = new Thread(group, () -> task.accept(allocator), "user");
    thread.setContextClassLoader(loader);
    thread.setPriority(Thread.MIN_PRIORITY);
    thread.start();
    thread.join();
    return new WeakReference<>(loader);
  }
}
