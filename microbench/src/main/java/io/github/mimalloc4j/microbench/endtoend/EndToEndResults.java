package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.LoadResult;
import io.github.mimalloc4j.microbench.endtoend.ServerStatistics.Memory;
import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that one run of the command found out.
 *
 * @param loads one for each workload, in the order of measuring
 * @param rounds in the order of measuring
 */
public record EndToEndResults(Setup setup, List<Load> loads, List<Round> rounds) {
  public static final FileFormat<EndToEndResults> FORMAT =
      new FileFormat<>("mimalloc4j end-to-end 4", EndToEndResults.class, EndToEndReport::new);

  /**
   * What all servers of a workload were loaded with.
   *
   * @param workload the name, application and variant
   * @param description the requests in words
   * @param tool what made the load of the closed loop; the other one is always of our client
   * @param jvms of each allocator, as planned
   * @param seconds of each load
   * @param warmup seconds of load before those
   */
  record Load(
      String workload,
      String description,
      String tool,
      int jvms,
      int seconds,
      int warmup,
      int connections,
      String transport,
      int eventLoops) {
    /** What tells one load from another, in a few words. */
    String brief() {
      return "%s, %s, %d connections, %s, %s"
          .formatted(
              workload,
              tool,
              connections,
              transport,
              eventLoops == 1 ? "1 event loop" : eventLoops + " event loops");
    }

    /**
     * Describes the load.
     *
     * @param measured the JVMs of each allocator that were measured
     */
    String text(int measured) {
      String of = measured == jvms ? "" : " of " + jvms;
      return ("%s: %s. %d%s JVMs per allocator, each with up to %d s of warm-up and %d s of each"
              + " load.")
          .formatted(brief(), description, measured, of, warmup, seconds);
    }
  }

  /**
   * What one JVM with one allocator did.
   *
   * @param workload the name
   * @param round from 0; the JVMs of a round run side by side, and one at a time is loaded
   * @param allocator the name of its kind, or its class
   * @param closed the load that the server paces
   * @param rate requests in a second that the other load sends, to all servers of a round
   * @param fixed the load at that rate
   * @param timing at that rate
   */
  record Round(
      String workload,
      int round,
      String allocator,
      Measured closed,
      double rate,
      Measured fixed,
      LoadResult.Timing timing) {
    boolean hasErrors() {
      return errors() > 0;
    }

    long errors() {
      return closed.errors() + fixed.errors();
    }

    /** Under both loads. */
    Memory peak() {
      return closed.peak().max(fixed.peak());
    }
  }

  /**
   * What one load of one server found.
   *
   * @param requests that were answered correctly
   * @param seconds until the last of them was
   * @param errors wrong answers and missing ones
   * @param cpuSeconds processor time of the server's process meanwhile, the compilers' and the
   *     collector's threads included; null where the system does not tell
   * @param compilerSeconds the compilers' part of it; null where the system does not tell
   * @param garbage bytes of Java objects that the server made; null where the JVM does not tell
   * @param peak the most memory that the server told meanwhile
   */
  record Measured(
      long requests,
      double seconds,
      long errors,
      @Nullable String firstError,
      @Nullable Double cpuSeconds,
      @Nullable Double compilerSeconds,
      @Nullable Long garbage,
      Memory peak) {
    double rate() {
      return requests / seconds;
    }

    /** In microseconds, without the compilers if their part is known. */
    @Nullable Double cpuOfRequest() {
      return cpuSeconds == null ? null : (cpuSeconds - compilers()) * 1e6 / requests;
    }

    /** The compilers' part of the processor time in percent. */
    @Nullable Double compilersPercent() {
      return cpuSeconds == null || compilerSeconds == null || cpuSeconds == 0
          ? null
          : 100 * compilerSeconds / cpuSeconds;
    }

    private double compilers() {
      return compilerSeconds == null ? 0 : compilerSeconds;
    }

    /** In bytes. */
    @Nullable Double garbageOfRequest() {
      return garbage == null ? null : garbage / (double) requests;
    }
  }
}
