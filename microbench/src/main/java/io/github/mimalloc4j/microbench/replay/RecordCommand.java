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

/** The command {@code record}: writes the Flight Recorder settings for {@code replay}. */
@Command(
    name = "record",
    description =
        "Writes Flight Recorder settings for recording the buffers of a JVM, and prints how to"
            + " start the recording.")
public final class RecordCommand extends AbstractCommand {
  /** The resource with the settings, in the package of this class. */
  static final String SETTINGS = "buffers.jfc";

  @Option(
      names = "--output",
      converter = OutputFile.class,
      defaultValue = "netty.jfc",
      description = "File for the settings.")
  private Path output;

  @Override
  public Integer call() throws IOException {
    try (InputStream settings = RecordCommand.class.getResourceAsStream(SETTINGS)) {
      Files.write(output, Objects.requireNonNull(settings, SETTINGS).readAllBytes());
    }
    // The recorded process has its own working directory.
    Path file = absolute(output);
    Path recording = file.resolveSibling("prod.jfr");
    out().println("Settings: " + file);
    out().println("To record a minute of a running JVM with the process ID PID:");
    out().println();
    // Without maxsize, a recording keeps only its last 250 MB.
    out()
        .printf(
            "  jcmd PID JFR.start %s %s duration=60s maxsize=4g%n",
            word("settings=" + quoted(file)), word("filename=" + quoted(recording)));
    out().println();
    out().println("A minute later, in the folder of this jar:");
    out().println();
    out()
        .printf(
            "  java -jar microbench.jar replay %s --output replay.html%n",
            word(recording.toString()));
    return 0;
  }

  /** Returns a path for the Flight Recorder's commands. */
  private static String quoted(Path path) {
    return path.toString().contains(" ") ? '"' + path.toString() + '"' : path.toString();
  }

  /** Returns a word of a command for a POSIX shell. */
  private static String word(String text) {
    return text.matches("[\\w./\\\\:=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
