package io.github.mimalloc4j.microbench.result;

import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What the measured code ran on, beside the JVM. */
public record Machine(String netty, String cpu, String system) {
  public static final String UNKNOWN = "unknown";

  /** Of a file of JMH's results, as far as it tells. */
  public static Machine of(Map<String, String> known) {
    return new Machine(
        known.getOrDefault("netty", UNKNOWN),
        known.getOrDefault("cpu", UNKNOWN),
        known.getOrDefault("system", UNKNOWN));
  }

  public static Machine here() {
    return new Machine(
        nettyVersion(),
        cpuModel() + ", " + Runtime.getRuntime().availableProcessors() + " processors",
        System.getProperty("os.name") + " " + System.getProperty("os.arch"));
  }

  private static String cpuModel() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN; // Not worth failing for after two minutes of measuring.
    }
  }

  private static String nettyVersion() {
    Map<String, Version> versions = Version.identify();
    Version version = versions.get("netty-common");
    if (version == null) {
      // Merging jars into one keeps the version file of one of Netty's artifacts, whichever.
      version = versions.values().stream().findFirst().orElse(null);
    }
    return version == null ? UNKNOWN : version.artifactVersion();
  }
}
