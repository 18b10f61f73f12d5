/** The {@code ByteBufAllocator} for Netty, its activation and its metrics. */
// "requires-automatic": Spring, Micrometer and BlockHound are automatic modules. Only applications
// that use them need them.
@SuppressWarnings("requires-automatic")
module io.github.mimalloc4j.netty {
  requires transitive io.github.mimalloc4j.core;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common;
  requires transitive io.netty.transport;
  requires static java.instrument;
  requires static java.management;
  requires static jdk.jfr;
  requires static micrometer.core;
  requires static org.jspecify;
  requires static reactor.blockhound;
  requires static spring.context;
  requires static spring.core;

  exports io.github.mimalloc4j.blockhound;
  exports io.github.mimalloc4j.micrometer;
  exports io.github.mimalloc4j.netty;
  exports io.github.mimalloc4j.agent to
      java.instrument;
  exports io.github.mimalloc4j.netty.redirection to
      io.netty.buffer;
  exports io.github.mimalloc4j.spring to
      spring.core;

  provides io.netty.bootstrap.ChannelInitializerExtension with
      io.github.mimalloc4j.bootstrap.MiMallocChannelInitializerExtension;
}
