package io.github.mimalloc4j.microbench.endtoend;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** What makes the load. */
enum LoadTool {
  /** A client on Netty in this JVM; the only one that checks what is echoed. */
  OWN(
      "GET /plaintext and POST /echo, half each, bodies of 1 KiB to 4 MiB; echoes checked",
      OwnLoad::run),

  WRK("GET /plaintext and POST /echo, half each, bodies of 1 KiB to 4 MiB", ExternalLoad::wrk),

  /** It cannot mix requests: it takes one body for all. */
  H2LOAD("POST /echo, bodies of " + RequestMix.MEDIAN + " bytes, HTTP/1.1", ExternalLoad::h2load);

  /** Puts a server under load: connections that stay open, each with one request at a time. */
  @FunctionalInterface
  interface Load {
    /**
     * Runs for whole seconds.
     *
     * @throws IOException if there is nothing to report, because the load could not be made
     */
    LoadResult run(URI server, int connections, Duration time)
        throws IOException, InterruptedException;
  }

  /**
   * How long after the end of its time a load may take to end: h2load was seen to wait for ever for
   * a connection that was not yet made at the end of its time.
   */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  final String work;
  final Load load;

  LoadTool(String work, Load load) {
    this.work = work;
    this.load = load;
  }

  /** Threads that a load uses: they share the processors with the server. */
  static int threads(int connections) {
    return Math.min(connections, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  /** The tool's name on the command line, and the program's. */
  String optionName() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isInstalled(String path) {
    return this == OWN || Stream.of(path.split(File.pathSeparator, -1)).anyMatch(this::isIn);
  }

  private boolean isIn(String folder) {
    try {
      return !folder.isEmpty() && Files.isExecutable(Path.of(folder, optionName()));
    } catch (InvalidPathException e) {
      return false; // No folder of this system.
    }
  }

  static LoadTool preferred(String path) {
    return Stream.of(WRK, H2LOAD).filter(tool -> tool.isInstalled(path)).findFirst().orElse(OWN);
  }

  /** Where this system looks for programs. */
  static String systemPath() {
    return Objects.requireNonNullElse(System.getenv("PATH"), "");
  }
}
