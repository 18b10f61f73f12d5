package io.github.mimalloc4j.netty.fuzzing;

/**
 * An argument for the buffer under test and an equal one for the reference.
 *
 * @param check fails unless the calls have done the same to both; releases what must be
 */
record ArgumentPair(Object tested, Object reference, Runnable check) {

  /** A value that no call changes. */
  static ArgumentPair of(Object value) {
    return new ArgumentPair(value, value, () -> {});
  }
}
