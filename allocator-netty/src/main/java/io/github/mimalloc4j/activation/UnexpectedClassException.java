package io.github.mimalloc4j.activation;

/** Thrown if a class is not as this library expects. The message states the difference. */
public final class UnexpectedClassException extends Exception {

  private static final long serialVersionUID = 1;

  UnexpectedClassException(String message) {
    super(message);
  }
}
