package io.github.mimalloc4j.netty.system;

/**
 * The JDK's diagnostic command {@code System.trim_native_heap}, which needs no native access.
 * Unlike the class that it calls, this class can be loaded without the module java.management.
 */
final class JdkTrimCommand implements TrimCommand {

  @Override
  public void prepare() throws Exception {
    DiagnosticCommands.requireTrimNativeHeap();
  }

  @Override
  public String run() throws Exception {
    return DiagnosticCommands.trimNativeHeap();
  }
}
