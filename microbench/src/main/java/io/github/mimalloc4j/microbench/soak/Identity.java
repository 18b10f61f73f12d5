package io.github.mimalloc4j.microbench.soak;

/**
 * The identity of a buffer, a long: the number of the life that allocated it, and which of that
 * life's buffers it is. The same seed gives a life the same decisions, so that an identity means
 * the same in the next run.
 */
final class Identity {
  /** An identity shares the 64 bits of a stamp's word with the number of the word. */
  static final int BITS = 40;

  private static final int SEQUENCE_BITS = 20;

  /** A life allocates fewer buffers than this. */
  static final int MAX_SEQUENCE = 1 << SEQUENCE_BITS;

  /** After so many lives their numbers begin again. */
  private static final int LIVES = 1 << (BITS - SEQUENCE_BITS);

  private Identity() {}

  static long of(int life, int sequence) {
    return (long) (life % LIVES) << SEQUENCE_BITS | sequence;
  }

  static int life(long id) {
    return (int) (id >>> SEQUENCE_BITS);
  }

  /** As reports write it: {@code 12/345} is what life 12 allocated as its 345th. */
  static String text(long id) {
    return life(id) + "/" + (id & (MAX_SEQUENCE - 1));
  }
}
