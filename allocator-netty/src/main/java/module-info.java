/** The {@code ByteBufAllocator} for Netty, its activation and its metrics. */
module io.github.mimalloc4j.netty {
  requires io.github.mimalloc4j.core;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common;
  requires transitive io.netty.transport;
  requires static org.jspecify;

  exports io.github.mimalloc4j.netty;
}
