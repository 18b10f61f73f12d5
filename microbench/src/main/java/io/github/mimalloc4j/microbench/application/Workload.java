package io.github.mimalloc4j.microbench.application;

import org.jspecify.annotations.Nullable;

/**
 * One kind of traffic of an application: what the command {@code end-to-end} measures.
 *
 * @param application the application's name on the command line
 * @param variant the traffic's name among those of the application
 * @param description of the traffic, in a few words
 * @param pipelined requests under way on each connection in the closed loop, from 1
 * @param tool that can make the same traffic; null if there is none
 */
public record Workload(
    String application,
    String variant,
    String description,
    Application server,
    Connector client,
    int pipelined,
    @Nullable ExternalTool tool) {

  /** Both names, as they are written on a command line. */
  public String name() {
    return application + ":" + variant;
  }
}
