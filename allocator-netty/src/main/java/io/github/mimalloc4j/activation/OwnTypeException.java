package io.github.mimalloc4j.activation;

/**
 * Netty has a type of its own under the name by which ours is chosen. Then the name means Netty's:
 * whoever chooses it gets what he gets without this library.
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
