package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogLevel;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * An allocator's beans in the platform MBean server: one for each kind of memory and one for the
 * process. They keep the allocator reachable until they are unregistered.
 *
 * <p>Thread-safe. Loaded only if an allocator has beans, since the module java.management may be
 * missing.
 */
public final class ManagementBeans {

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final Deque<ObjectName> registered = new ArrayDeque<>();

  private ManagementBeans() {}

  /**
   * Registers an allocator's beans. Failures are logged.
   *
   * @param figures supplies the allocator's current figures; their profile is not read
   * @param dumped supplies them with the profile, which takes longer
   * @return an action that unregisters the beans; running it again has no effect
   */
  public static Runnable register(Supplier<Snapshot> figures, Supplier<Snapshot> dumped) {
    try {
      ManagementBeans beans = new ManagementBeans();
      beans.registerAll(figures, dumped);
      return beans::unregister;
    } catch (JMException | RuntimeException e) { // including those of a security manager
      AllocatorLogger.logFailure(
          InternalLogLevel.WARN, "The allocator's figures are not available through JMX.", e);
      return () -> {};
    }
  }

  private synchronized void registerAll(Supplier<Snapshot> figures, Supplier<Snapshot> dumped)
      throws JMException {
    // Takes the first free number: allocators in other class loaders register here, too.
    for (int id = 1; registered.isEmpty(); id++) {
      try {
        for (Snapshot.Kind kind : Snapshot.Kind.values()) {
          register(id, kind.toString(), new MemoryBean(kind, figures, dumped));
        }
        register(id, "process", MemoryBean.ofProcess(figures, dumped));
      } catch (InstanceAlreadyExistsException e) {
        unregister();
      } catch (Throwable e) {
        unregister();
        throw e;
      }
    }
  }

  private void register(int id, String memory, MemoryBean bean) throws JMException {
    ObjectName name =
        new ObjectName(
            "io.github.mimalloc4j:type=MiMallocByteBufAllocator,id=" + id + ",memory=" + memory);
    server.registerMBean(bean, name);
    registered.add(name);
  }

  private synchronized @Nullable ObjectName poll() {
    return registered.poll();
  }

  private synchronized void putBack(ObjectName name) {
    registered.push(name);
  }

  /** The server calls its listeners, which may close the allocator, too. */
  private void unregister() {
    for (ObjectName name = poll(); name != null; name = poll()) {
      try {
        server.unregisterMBean(name);
      } catch (InstanceNotFoundException e) {
        AllocatorLogger.log(InternalLogLevel.DEBUG, "{} was unregistered by somebody else", name);
      } catch (JMException | RuntimeException e) {
        AllocatorLogger.log(InternalLogLevel.WARN, "{} cannot be unregistered", name, e);
      } catch (Error e) { // closing again goes on
        putBack(name);
        throw e;
      }
    }
  }
}
