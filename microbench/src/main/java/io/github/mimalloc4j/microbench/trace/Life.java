package io.github.mimalloc4j.microbench.trace;

/** A buffer that is in use at some moment of a recording. */
final class Life {
  /** Its number; another buffer has it when this one is released. */
  final int slot;

  final int allocatingThread;
  final long since;

  /** Whether it was there before the recording began. */
  final boolean before;

  /** The event that gave it the memory that it has. */
  int event;

  /** The last thread that did something with it that was recorded. */
  int lastThread;

  /** In bytes, as far as it is known. */
  int size;

  Life(int slot, int thread, long since, boolean before, int size) {
    this.slot = slot;
    this.allocatingThread = thread;
    this.lastThread = thread;
    this.since = since;
    this.before = before;
    this.size = size;
  }
}
