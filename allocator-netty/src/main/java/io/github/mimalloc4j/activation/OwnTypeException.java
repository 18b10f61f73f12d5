package io.github.mimalloc4j.activation;

/**
 * Netty has an allocator type of its own with the name that selects ours. The name then means
 * Netty's type: whoever selects it gets the same as without this library.
 */
public final class OwnTypeException extends Exception {

  private static final long serialVersionUID = 1;

  OwnTypeException() {
    super(
        "this Netty has an allocator of its own by the name "
            + Selection.MIMALLOC
            + ", which is what -D"
            + Selection.PROPERTY
            + " chooses; this library's is MiMallocByteBufAllocator.DEFAULT, for"
            + " ChannelOption.ALLOCATOR");
  }
}
