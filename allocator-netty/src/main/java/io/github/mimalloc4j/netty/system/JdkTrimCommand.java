package io.github.mimalloc4j.netty.system;

/**
 * The JDK's diagnostic command {@code System.trim_native_heap}, which needs no native access. This
 * class can be loaded where there is no JMX, the one that it calls cannot.
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
