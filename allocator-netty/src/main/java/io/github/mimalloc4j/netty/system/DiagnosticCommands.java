package io.github.mimalloc4j.netty.system;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The JDK's diagnostic commands, as {@code jcmd} runs them, through the platform MBean server.
 * Loaded only when a command is to be run, since the module java.management may be missing.
 */
final class DiagnosticCommands {

  private static final String BEAN = "com.sun.management:type=DiagnosticCommand";

  private static final String TRIM_NATIVE_HEAP = "systemTrimNativeHeap";

  private DiagnosticCommands() {}

  /**
   * Checks that the command exists.
   *
   * @throws JMException if it does not
   */
  static void requireTrimNativeHeap() throws JMException {
    for (MBeanOperationInfo each : server().getMBeanInfo(bean()).getOperations()) {
      if (each.getName().equals(TRIM_NATIVE_HEAP)) {
        return;
      }
    }
    throw new JMException("this JVM has no command System.trim_native_heap");
  }

  /** Makes the C library's {@code malloc} give all free pages back to the system. */
  static String trimNativeHeap() throws JMException {
    return String.valueOf(server().invoke(bean(), TRIM_NATIVE_HEAP, null, null));
  }

  /**
   * Returns the server, which the JDK caches. Its creation, on the first call, takes a tenth of a
   * second.
   */
  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }

  private static ObjectName bean() throws JMException {
    return new ObjectName(BEAN);
  }
}
