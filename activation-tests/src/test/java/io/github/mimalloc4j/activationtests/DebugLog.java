package io.github.mimalloc4j.activationtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Netty's and the library's debug messages, on standard error. */
final class DebugLog {

  private DebugLog() {}

  /** The option that switches the messages on, for java.util.logging. */
  static String option() {
    Path file = JarFiles.workFolder().resolve("debug-logging.properties");
    try {
      Files.writeString(
          file,
          """
          handlers = java.util.logging.ConsoleHandler
          java.util.logging.ConsoleHandler.level = ALL
          io.netty.level = ALL
          io.github.mimalloc4j.level = ALL
          """);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "-Djava.util.logging.config.file=" + file;
  }
}
