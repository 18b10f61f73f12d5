/** The allocator itself: pages, heaps and segments, without any Netty type. */
// "module": the only module that may see the packages is compiled after this one.
@SuppressWarnings("module")
module io.github.mimalloc4j.core {
  requires static org.jspecify;

  exports io.github.mimalloc4j.core to
      io.github.mimalloc4j.netty;
  exports io.github.mimalloc4j.core.heap to
      io.github.mimalloc4j.netty;
  exports io.github.mimalloc4j.core.memory to
      io.github.mimalloc4j.netty;
  exports io.github.mimalloc4j.core.statistics;
}
