package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.OutputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code record}: what Flight Recorder has to be told for {@code replay}. */
@Command(
    name = "record",
    description =
        "Writes settings of Flight Recorder with which a JVM records its buffers, and prints how"
            + " to start the recording.")
public final class RecordCommand extends AbstractCommand {
  /** A resource beside this class. */
  static final String SETTINGS = "buffers.jfc";

  @Option(names = "--output", converter = OutputFile.class, defaultValue = "netty.jfc")
  private Path output;

  @Override
  public Integer call() throws IOException {
    try (InputStream settings = RecordCommand.class.getResourceAsStream(SETTINGS)) {
      Files.write(output, Objects.requireNonNull(settings, SETTINGS).readAllBytes());
    }
    // The process that records has a working folder of its own.
    Path file = output.toAbsolutePath().normalize();
    out().println("The settings: " + file);
    out().println("Record a minute of a running JVM, PID being the number of its process:");
    out().println();
    // Without a size of its own a recording drops what is older than 250 MB.
    out()
        .printf(
            "  jcmd PID JFR.start settings=%s filename=%s duration=60s maxsize=4g%n",
            file, file.resolveSibling("prod.jfr"));
    out().println();
    out().println("A minute later, where this jar is:");
    out().println();
    out().println("  java -jar microbench.jar replay prod.jfr --output replay.html");
    return 0;
  }
}
