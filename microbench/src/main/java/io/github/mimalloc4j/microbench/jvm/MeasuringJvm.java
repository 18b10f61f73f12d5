package io.github.mimalloc4j.microbench.jvm;

import io.github.mimalloc4j.microbench.result.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A JVM that takes one measurement and ends. Request and result travel as JSON. */
public final class MeasuringJvm {
  /** What a line of output begins with that tells progress. */
  private static final String PROGRESS = "progress ";

  private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

  /** What to measure: a record. */
  public interface Request<R extends Record> {
    /** What is measured; errors name the JVM after it. */
    String subject();

    /** Measures, in that JVM. What the consumer is told reaches the one that asked. */
    R measure(Consumer<String> progress) throws Exception;
  }

  private MeasuringJvm() {}

  /** Takes a measurement in a new JVM. */
  public static <R extends Record> R measure(
      Request<R> request, Class<R> result, List<String> flags, Consumer<String> progress)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile("measurement", ".json");
    file.toFile().deleteOnExit(); // For the case that the user gives up.
    List<String> arguments =
        List.of(file.toString(), request.getClass().getName(), Records.JSON.toJson(request));
    try (ChildProcess child =
        ChildProcess.startJvm(
            request.subject(),
            flags,
            MeasuringJvm.class,
            arguments,
            line -> isProgress(line, progress))) {
      child.awaitSuccess(FOREVER);
      return Records.JSON.fromJson(Files.readString(file), result);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static boolean isProgress(String line, Consumer<String> progress) {
    boolean found = line.startsWith(PROGRESS);
    if (found) {
      progress.accept(line.substring(PROGRESS.length()));
    }
    return found;
  }

  /** Runs in that JVM, with a file for the result, the request's class, and the request. */
  public static void main(String[] args) {
    ChildProcess.endWithParent();
    int status = 1;
    try {
      Request<?> request = (Request<?>) Records.JSON.fromJson(args[2], Class.forName(args[1]));
      Record result = request.measure(text -> System.out.println(PROGRESS + text));
      Files.writeString(Path.of(args[0]), Records.JSON.toJson(result));
      status = 0;
    } catch (Throwable e) {
      e.printStackTrace();
    } finally {
      System.exit(status); // An allocator of others may have started a thread that is no daemon.
    }
  }
}
