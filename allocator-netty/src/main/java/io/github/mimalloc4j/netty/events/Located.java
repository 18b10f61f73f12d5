package io.github.mimalloc4j.netty.events;

/** Memory that may have an address. */
public interface Located {

  /** What {@link #address()} is of memory on the Java heap, and where the platform hides it. */
  long NO_ADDRESS = 0;

  /** The address of the first byte, or {@link #NO_ADDRESS}. */
  long address();
}
