package io.github.mimalloc4j.microbench.footprint;

/** A part of a run. The order is that of the run. */
enum Phase {
  STEADY(
      "steady",
      "steady",
      "Event loops replace random buffers of a modest live set, with the sizes of a WebSocket"
          + " proxy.",
      Workload::steady),
  BURST(
      "burst",
      "burst",
      "A large live set is added, of 64 B to 20 KB with 1 in 8 of 0.2 to 1.2 MB, and kept for a"
          + " moment. Then everything is released.",
      Workload::burst),
  BURST_IDLE(
      "idle after the burst",
      "idle",
      "No thread allocates or releases; the event loops wait.",
      Workload::idle),
  CROSS_THREAD(
      "cross-thread",
      "cross-\nthread",
      "One event loop only allocates, another thread only releases: sizes from 256 B to 1 MiB, then"
          + " 2 MiB one at a time, then many at once.",
      Workload::crossThread),
  CROSS_THREAD_IDLE(
      "idle after cross-thread",
      "idle",
      "No thread allocates or releases; the event loop waits.",
      Workload::idle),
  CHURN(
      "churn",
      "thread\nchurn",
      "Threads of each kind are started and end with live buffers, which others release.",
      Workload::churn),
  CHURN_IDLE("idle after the churn", "idle", "No thread allocates or releases.", Workload::idle),
  SCATTER(
      "random 90 %",
      "random\n90 %",
      "Event loops build up a live set, half of it small buffers and half 128 KiB to 8 MiB, and"
          + " release a random 90 % of them.",
      Workload::scatter),
  SCATTER_IDLE(
      "idle with the 10 % left",
      "idle,\n10 % left", "No thread allocates or releases; a tenth is live.", Workload::idle),
  END_IDLE(
      "idle with nothing left",
      "idle,\nnothing",
      "The rest is released at the beginning; then no thread allocates or releases.",
      Workload::end);

  /** The name in tables. */
  private final String title;

  /** A short name for charts, in as many lines as it needs to be narrow. */
  private final String label;

  private final String description;
  private final Work work;

  @FunctionalInterface
  private interface Work {
    void run(Workload workload) throws Exception;
  }

  Phase(String title, String label, String description, Work work) {
    this.title = title;
    this.label = label;
    this.description = description;
    this.work = work;
  }

  String title() {
    return title;
  }

  String label() {
    return label;
  }

  String description() {
    return description;
  }

  void run(Workload workload) throws Exception {
    work.run(workload);
  }

  /** Whether nothing is done, so that what is held is held for nothing. */
  boolean idle() {
    return name().endsWith("IDLE");
  }
}
