package io.github.mimalloc4j.microbench.endtoend;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What makes the load. */
enum LoadTool {
  /** A client on Netty in this JVM; the only one that checks what is echoed. */
  OWN(
      "GET /plaintext and POST /echo, half each, bodies of 1 KiB to 4 MiB; echoes checked",
      new OwnLoad()),

  /** The program wrk. */
  WRK("GET /plaintext and POST /echo, half each, bodies of 1 KiB to 4 MiB", new WrkLoad()),

  /** The program h2load, which cannot mix requests: it takes one body for all. */
  H2LOAD("POST /echo, bodies of " + RequestMix.MEDIAN + " bytes, HTTP/1.1", new H2LoadLoad());

  private final String work;
  private final Load load;

  LoadTool(String work, Load load) {
    this.work = work;
    this.load = load;
  }

  Load load() {
    return load;
  }

  /** The requests, in words. */
  String work() {
    return work;
  }

  /** The tool's name on the command line, and the program's. */
  String optionName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it can be used. */
  boolean isInstalled(String path) {
    return this == OWN
        || Stream.of(path.split(File.pathSeparator, -1)).anyMatch(folder -> has(folder));
  }

  private boolean has(String folder) {
    try {
      return !folder.isEmpty() && Files.isExecutable(Path.of(folder, optionName()));
    } catch (InvalidPathException e) {
      return false; // No folder of this system.
    }
  }

  /** The tool to use if the user does not say. */
  static LoadTool preferred(String path) {
    Optional<LoadTool> found =
        List.of(WRK, H2LOAD).stream().filter(tool -> tool.isInstalled(path)).findFirst();
    return found.orElse(OWN);
  }

  /** Where this system looks for programs. */
  static String systemPath() {
    return Optional.ofNullable(System.getenv("PATH")).orElse("");
  }
}
