package io.github.mimalloc4j.microbench;

/** A command line that makes no sense; the message is the one line that the user sees. */
public final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Makes one. */
  public UsageException(String message) {
    super(message);
  }
}
