package io.github.mimalloc4j.microbench.report;

/** A file that no report can be made of; the message is the one line that the user sees. */
final class ResultFileException extends Exception {
  private static final long serialVersionUID = 1L;

  ResultFileException(String message) {
    super(message);
  }
}
