package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.ChildJvm;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that ends by itself and whose output is read. */
final class ExternalProgram {
  private ExternalProgram() {}

  /**
   * Runs it; its output and its errors together are the result.
   *
   * @param patience after which it is stopped: h2load was seen to wait for ever for a connection
   *     that was not yet made at the end of its time
   */
  static String run(List<String> command, Duration patience)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("end-to-end", ".log");
    output.toFile().deleteOnExit(); // For the case that the user gives up.
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    ChildJvm.stopAtExit(process);
    try {
      process.getOutputStream().close();
      boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      String text = Files.readString(output, Charset.defaultCharset()).strip();
      if (!ended) {
        throw new IOException(
            command.get(0) + " did not end within " + patience.toSeconds() + " s\n" + text);
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            command.get(0) + " ended with exit code " + process.exitValue() + "\n" + text);
      }
      return text;
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(output);
    }
  }
}
