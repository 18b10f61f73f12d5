package io.github.mimalloc4j.netty.events;

/** Memory that may have an address. */
public interface Located {

  /** The value of {@link #address()} for memory on the Java heap or where the platform hides it. */
  long NO_ADDRESS = 0;

  /** Returns the address of the first byte, or {@link #NO_ADDRESS}. */
  long address();
}
