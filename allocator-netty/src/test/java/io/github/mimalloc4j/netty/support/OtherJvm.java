package io.github.mimalloc4j.netty.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM like this one, with options that only hold from the start. */
public final class OtherJvm {

  /** More than any program takes on a busy machine. */
  private static final int LIMIT_MINUTES = 5;

  private final int exitCode;
  private final String output;

  private OtherJvm(int exitCode, String output) {
    this.exitCode = exitCode;
    this.output = output;
  }

  public static OtherJvm run(Class<?> main, String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (option.startsWith("-Dio.netty.noUnsafe") || option.startsWith("--sun-misc-unsafe")) {
        command.add(option); // the configuration that this run is about
      }
    }
    // Compiling is most of what a short run does.
    command.addAll(List.of("-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(List.of("-Duser.language=en", "-Duser.country=US")); // of what the JDK logs
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    try {
      Path output = Files.createTempFile("other-jvm", null);
      try {
        return run(command, output);
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It writes to a file, since nothing ends a read from a pipe whose writer hangs. */
  private static OtherJvm run(List<String> command, Path output) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        throw new AssertionError(
            "the other JVM did not end in " + LIMIT_MINUTES + " minutes:\n" + read(output));
      }
      return new OtherJvm(process.exitValue(), read(output));
    } catch (InterruptedException e) {
      throw new AssertionError("the other JVM did not end in time:\n" + read(output), e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path output) throws IOException {
    return new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
        .replace(System.lineSeparator(), "\n");
  }

  /** The option by which a JVM adds what it runs to the coverage that this one records, if any. */
  public static List<String> coverageAgent() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-javaagent:") && option.contains("jacoco"))
        .toList();
  }

  /** What it wrote to both standard streams. */
  public String output() {
    return output;
  }

  /** Fails, with what the JVM wrote, if it ended with an exception. */
  public OtherJvm assertSucceeded() {
    if (exitCode != 0) {
      throw new AssertionError("the other JVM ended with " + exitCode + ":\n" + output);
    }
    return this;
  }
}
