package io.github.mimalloc4j.microbench.application;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All workloads, and how a user names them. */
public final class Workloads {
  /** In the order in which they are shown. */
  public static final List<Workload> ALL =
      Stream.of(
              RequestMix.workloads(),
              Plaintext.workloads(),
              Resp.workloads(),
              Http2Application.workloads(),
              GrpcApplication.workloads(),
              WebSocketApplication.workloads(),
              ProxyApplication.workloads(),
              DownloadApplication.workloads(),
              BrokerApplication.workloads())
          .flatMap(List::stream)
          .toList();

  private Workloads() {}

  /**
   * Finds workloads by names with commas in between: {@code NAME} for all variants of an
   * application, {@code NAME:VARIANT} for one of them, {@code all} for all.
   *
   * @throws IllegalArgumentException if there is none of a name, or one is named twice
   */
  public static List<Workload> named(String names) {
    if (names.equals("all")) {
      return ALL;
    }
    List<Workload> found =
        Stream.of(names.split(",", -1)).flatMap(name -> withName(name).stream()).toList();
    for (Workload workload : found) {
      if (found.stream().filter(workload::equals).count() > 1) {
        throw new IllegalArgumentException(workload.name() + " is named twice");
      }
    }
    return found;
  }

  private static List<Workload> withName(String name) {
    List<Workload> found =
        ALL.stream()
            .filter(each -> each.application().equals(name) || each.name().equals(name))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "expected all, or some of " + names() + ", not '" + name + "'");
    }
    return found;
  }

  private static String names() {
    return ALL.stream().map(Workload::name).collect(Collectors.joining(", ", "[", "]"));
  }
}
