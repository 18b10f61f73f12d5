package io.github.mimalloc4j.microbench.result;

import java.util.List;

/** What a result was measured with; the flags are those of the measured JVM. */
public record Setup(String jdk, String vm, List<String> flags, Machine machine) {
  /** This JDK on this machine, with the flags of JVMs that were started from here. */
  public static Setup here(List<String> flags) {
    return new Setup(
        System.getProperty("java.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        List.copyOf(flags),
        Machine.here());
  }

  /** The same on any JVM with any flags of this machine and JDK. */
  public Setup withoutFlags() {
    return new Setup(jdk, vm, List.of(), machine);
  }

  public List<String> lines() {
    return List.of(
        "JDK: " + jdk + ", " + vm,
        "System: " + machine.system(),
        "CPU: " + machine.cpu(),
        "Netty: " + machine.netty(),
        "JVM flags: " + (flags.isEmpty() ? "none" : String.join(" ", flags)));
  }
}
