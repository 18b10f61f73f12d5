package io.github.mimalloc4j.activation;

/** Netty's class is not as this library expects; the message says how it differs. */
public final class UnexpectedClassException extends Exception {

  private static final long serialVersionUID = 1;

  UnexpectedClassException(String message) {
    super(message);
  }
}
