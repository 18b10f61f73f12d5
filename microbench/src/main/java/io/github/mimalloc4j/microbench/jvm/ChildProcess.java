package io.github.mimalloc4j.microbench.jvm;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A process that this JVM started, most often another JVM. What it says is read as it says it, and
 * it does not go on when this JVM ends. Another JVM ends even if this one is killed, provided that
 * its main method calls {@link #endWithParent}.
 */
public final class ChildProcess implements AutoCloseable {
  private final String name;
  private final Process process;

  /** Stops the process when this JVM ends. */
  private final Thread stopper;

  /** The lines that the listener did not want: they become an error's text. */
  private final StringBuffer output = new StringBuffer();

  /** Completed when all of the output is read; fails if the listener does. */
  private final CompletableFuture<Void> read;

  /**
   * Whether {@link #close} has closed the stream of the output, perhaps in the middle of a read.
   */
  private volatile boolean closed;

  private ChildProcess(String name, List<String> command, Predicate<String> listener)
      throws IOException {
    this.name = name;
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    stopper = new Thread(process::destroyForcibly, "stopper of " + name);
    try {
      Runtime.getRuntime().addShutdownHook(stopper);
    } catch (IllegalStateException e) {
      process.destroyForcibly(); // The user has given up already.
    }
    Executor reader =
        new ThreadPerTaskExecutor(new DefaultThreadFactory("output of " + name, true));
    read = CompletableFuture.runAsync(() -> read(listener), reader);
  }

  /**
   * Called in a JVM that was {@linkplain #startJvm started}: ends it when the JVM that started it
   * ends, however that happens.
   */
  public static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              awaitEnd(System.in);
              Runtime.getRuntime().halt(1);
            },
            "end of the parent");
    watch.setDaemon(true);
    watch.start();
  }

  /** Waits until the other side closes the stream, or ends. */
  private static void awaitEnd(InputStream in) {
    try {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The other side is gone as well.
    }
  }

  /** This JVM's flags, so that a user can set an allocator's options, and others, which win. */
  public static List<String> flags(List<String> others) {
    List<String> own = ManagementFactory.getRuntimeMXBean().getInputArguments();
    return Stream.concat(own.stream(), others.stream()).toList();
  }

  /**
   * Starts a program.
   *
   * @param name what errors call it
   * @param command the program and its arguments
   * @param listener is told of each line of its output and its errors, in a thread of its own, and
   *     says whether it wanted that
   */
  public static ChildProcess start(String name, List<String> command, Predicate<String> listener)
      throws IOException {
    ChildProcess program = new ChildProcess(name, command, listener);
    program.process.getOutputStream().close(); // it has nothing to read
    return program;
  }

  /** Starts a class of this JVM's class path in another JVM; the rest as in {@link #start}. */
  public static ChildProcess startJvm(
      String name,
      List<String> flags,
      Class<?> main,
      List<String> arguments,
      Predicate<String> listener)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> program = List.of("-cp", System.getProperty("java.class.path"), main.getName());
    List<String> command =
        Stream.of(List.of(java), flags, program, arguments).flatMap(List::stream).toList();
    return new ChildProcess("the JVM for " + name, command, listener);
  }

  private void read(Predicate<String> listener) {
    try (BufferedReader lines = process.inputReader(Charset.defaultCharset())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!listener.test(line)) {
          output.append(line + '\n');
        }
      }
    } catch (IOException e) {
      if (!closed && process.isAlive()) { // otherwise it was stopped, and may take a moment to end
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Waits until it has ended and its output is read.
   *
   * @return the output that the listener did not want
   * @throws IOException if it did not end in time or failed; the message has the output
   */
  public String awaitSuccess(Duration patience) throws IOException, InterruptedException {
    try {
      read.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          name + " did not end within " + patience.toSeconds() + " s\n" + output(), e);
    } catch (ExecutionException e) {
      throw new IOException(name + ": " + e.getCause() + "\n" + output(), e);
    }
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException(name + " ended with exit code " + exitCode + "\n" + output());
    }
    return output();
  }

  /** Completes when all of the output is read, which is when it has ended. */
  public CompletableFuture<Void> ended() {
    return read;
  }

  /** The output so far that the listener did not want. */
  public String output() {
    return output.toString();
  }

  public Process process() {
    return process;
  }

  @Override
  public void close() {
    closed = true; // first, because the next line closes the stream
    process.destroyForcibly();
    try {
      Runtime.getRuntime().removeShutdownHook(stopper);
    } catch (IllegalStateException e) {
      // This JVM is ending, and the hook has stopped the process as well.
    }
  }
}
