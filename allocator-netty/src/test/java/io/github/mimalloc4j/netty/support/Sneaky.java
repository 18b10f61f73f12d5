package io.github.mimalloc4j.netty.support;

/** Throws checked exceptions as they are where none are declared, as code in Kotlin may. */
public final class Sneaky {

  private Sneaky() {}

  /** Throws an exception; "returns" it only so that the caller's compiler sees where it ends. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <E extends Throwable> RuntimeException asUnchecked(Throwable exception) throws E {
    throw (E) exception;
  }
}
