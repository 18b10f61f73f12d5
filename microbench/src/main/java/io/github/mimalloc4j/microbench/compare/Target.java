package io.github.mimalloc4j.microbench.compare;

/**
 * What a row of the comparison is about: the targets that the measurements refer to, and others.
 */
enum Target {
  S1("8,192 live", Clock.PROCESSOR),
  S2("8,192 live, heap", Clock.PROCESSOR),
  S3("other numbers and sizes", Clock.PROCESSOR),
  S4("released at once", Clock.PROCESSOR),
  S5("handed to other threads", Clock.WALL),
  S6("on plain threads", Clock.WALL),
  S7("on virtual threads", Clock.WALL),
  S8("each size, at once", Clock.PROCESSOR),
  S9("access to the bytes", Clock.PROCESSOR),
  S10("reference counts", Clock.PROCESSOR),
  GROWTH("growth", Clock.PROCESSOR),
  SUITES("after other suites", Clock.WALL);

  /** What an operation's time is read from. */
  enum Clock {
    /**
     * The processor time of the benchmark's threads: on a busy machine it leaves out the time in
     * which other programs had the processor.
     */
    PROCESSOR,
    /** JMH's time, where threads wait for each other or start threads of their own. */
    WALL
  }

  /** What its rows have in common, in the words of a plot. */
  final String label;

  final Clock clock;

  Target(String label, Clock clock) {
    this.label = label;
    this.clock = clock;
  }
}
