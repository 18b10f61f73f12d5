package io.github.mimalloc4j.netty.system;

import static java.util.Objects.requireNonNull;

import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's diagnostic command {@code System.trim_native_heap}, which needs no native access, run
 * as {@code jcmd} does, through the platform MBean server. Linked to the module java.management,
 * which may be missing, only when it is to be run.
 *
 * <p>The package {@code javax.management} is reached by reflection. The agent may have defined this
 * class in the class loader of an OSGi bundle, Netty's, which does not import that package.
 */
final class DiagnosticCommands implements TrimCommand {

  private static final String BEAN = "com.sun.management:type=DiagnosticCommand";

  private static final String TRIM_NATIVE_HEAP = "systemTrimNativeHeap";

  @Override
  public void prepare() throws Exception {
    Object info =
        call("MBeanServer", "getMBeanInfo", server(), new Class<?>[] {type("ObjectName")}, bean());
    for (Object each : (Object[]) call("MBeanInfo", "getOperations", info, new Class<?>[0])) {
      if (call("MBeanOperationInfo", "getName", each, new Class<?>[0]).equals(TRIM_NATIVE_HEAP)) {
        return;
      }
    }
    throw new UnsupportedOperationException("this JVM has no command System.trim_native_heap");
  }

  @Override
  public String run() throws Exception {
    Class<?>[] parameters = {type("ObjectName"), String.class, Object[].class, String[].class};
    return String.valueOf(
        call("MBeanServer", "invoke", server(), parameters, bean(), TRIM_NATIVE_HEAP, null, null));
  }

  /**
   * Returns the server, which the JDK caches. Its creation, on the first call, takes a tenth of a
   * second.
   */
  private static Object server() throws Exception {
    Object server = ManagementFactory.class.getMethod("getPlatformMBeanServer").invoke(null);
    return requireNonNull(server);
  }

  private static Object bean() throws Exception {
    return type("ObjectName").getConstructor(String.class).newInstance(BEAN);
  }

  private static Object call(
      String type,
      String method,
      Object target,
      Class<?>[] parameters,
      @Nullable Object... arguments)
      throws Exception {
    try {
      return requireNonNull(type(type).getMethod(method, parameters).invoke(target, arguments));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName("javax.management." + name, true, ClassLoader.getPlatformClassLoader());
  }
}
