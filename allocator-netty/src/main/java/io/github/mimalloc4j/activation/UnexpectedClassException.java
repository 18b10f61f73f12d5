package io.github.mimalloc4j.activation;

/** Thrown if a class is not as this library expects. The message states the difference. */
public final class UnexpectedClassException extends Exception {

  private static final long serialVersionUID = 1;

  UnexpectedClassException(String message) {
    super(message);
  }

  /** For a file that is damaged, or in a format that is not known. */
  UnexpectedClassException(RuntimeException cause) {
    super("it cannot be read: " + cause, cause);
  }

  static void require(boolean condition, String otherwise) throws UnexpectedClassException {
    if (!condition) {
      throw new UnexpectedClassException(otherwise);
    }
  }
}
