package io.github.mimalloc4j.microbench.result;

import java.util.List;

/**
 * What a result was measured with.
 *
 * @param jdk the version of the JDK
 * @param vm name and version of the virtual machine
 * @param flags of the measured JVM
 * @param machine what it ran on
 */
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

  /** All of it for people. */
  public List<String> lines() {
    return List.of(
        "JDK: " + jdk + ", " + vm,
        "System: " + machine.system(),
        "CPU: " + machine.cpu(),
        "Netty: " + machine.netty(),
        "JVM flags: " + (flags.isEmpty() ? "none" : String.join(" ", flags)));
  }
}
