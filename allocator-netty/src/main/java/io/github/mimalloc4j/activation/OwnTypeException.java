package io.github.mimalloc4j.activation;

/**
 * Thrown if Netty has its own allocator type with the name that selects ours. The name then means
 * Netty's type, as it does without this library.
 */
public final class OwnTypeException extends Exception {

  private static final long serialVersionUID = 1;

  OwnTypeException() {
    super(
        "this Netty has an allocator of its own by the name "
            + Selection.MIMALLOC
            + ", which -D"
            + Selection.PROPERTY
            + " selects; to use this library's, set MiMallocByteBufAllocator.DEFAULT as"
            + " ChannelOption.ALLOCATOR");
  }
}
