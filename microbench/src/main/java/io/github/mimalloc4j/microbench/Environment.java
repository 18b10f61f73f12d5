package io.github.mimalloc4j.microbench;

import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a reader must know to make sense of a measurement. */
public final class Environment {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final String NETTY_ARTIFACT = "netty-common";

  private Environment() {}

  /** Lines for the end of a result of the benchmarks. */
  static List<String> describe() {
    List<String> lines = new ArrayList<>(machine());
    lines.add("GC: G1. Flags of the measured JVMs:");
    lines.add("  " + String.join(" ", ForkOptions.GC, ForkOptions.HEAP_MIN, ForkOptions.HEAP_MAX));
    lines.add("  " + ForkOptions.FOREGROUND_COMPILATION + " " + ForkOptions.NO_LEAK_DETECTION);
    lines.add("  " + ForkOptions.EXECUTOR + " " + ForkOptions.EXECUTOR_CLASS);
    return lines;
  }

  /** Lines on what the measured code runs on, whatever its flags. */
  public static List<String> machine() {
    return List.of(
        "JDK: "
            + System.getProperty("java.vm.name")
            + " "
            + System.getProperty("java.vm.version")
            + ", "
            + system(),
        "CPU: " + processors(),
        "Netty: " + netty());
  }

  /** The operating system and the processors' kind. */
  static String system() {
    return System.getProperty("os.name") + " " + System.getProperty("os.arch");
  }

  /** The processors' model and number. */
  static String processors() {
    return cpu() + ", " + Runtime.getRuntime().availableProcessors() + " processors";
  }

  private static String cpu() {
    try {
      if (Files.isReadable(CPU_INFO)) {
        Optional<String> model =
            Files.readAllLines(CPU_INFO).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst();
        return model.orElse("unknown");
      }
    } catch (IOException e) {
      // Not worth failing for after two minutes of measuring.
    }
    return "unknown";
  }

  /** The version of Netty on the class path. */
  static String netty() {
    Map<String, Version> versions = Version.identify();
    Version version = versions.get(NETTY_ARTIFACT);
    if (version == null) {
      // Merging jars into one keeps the version file of one of Netty's artifacts, whichever.
      version = versions.values().stream().findFirst().orElse(null);
    }
    return version == null ? "unknown" : version.artifactVersion();
  }
}
