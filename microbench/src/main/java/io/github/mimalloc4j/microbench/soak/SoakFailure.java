package io.github.mimalloc4j.microbench.soak;

/** Something that must not be. The message says what, and what is known of the buffer. */
final class SoakFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  SoakFailure(String what) {
    super(what);
  }

  SoakFailure(String what, Holding holding, String details) {
    super(what + ": " + holding + "\n  " + details);
  }
}
