package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.EncoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.redis.RedisCodecException;
import java.io.IOException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CloseOnErrorTest {

  static Stream<Throwable> ofClients() {
    return Stream.of(
        new IOException("Connection reset by peer"),
        new DecoderException("no HTTP"),
        new DecoderException(new SSLException("no TLS")),
        new DecoderException(new RedisCodecException("no RESP")),
        new TooLongFrameException("too long"),
        new PrematureChannelClosureException("in the middle"),
        new Http2Exception(Http2Error.PROTOCOL_ERROR, "no HTTP/2"));
  }

  static Stream<Throwable> ofTheServer() {
    return Stream.of(
        new OutOfMemoryError("planted"),
        new IllegalStateException("planted"),
        new DecoderException(new OutOfMemoryError("planted")),
        new EncoderException("planted"));
  }

  @ParameterizedTest
  @MethodSource
  void ofClients(Throwable cause) {
    assertThat(failuresOf(cause)).isZero();
  }

  @ParameterizedTest
  @MethodSource
  void ofTheServer(Throwable cause) {
    assertThat(failuresOf(cause)).isOne();
  }

  private static long failuresOf(Throwable cause) {
    long before = CloseOnError.failures();
    EmbeddedChannel channel = new EmbeddedChannel(CloseOnError.INSTANCE);
    channel.pipeline().fireExceptionCaught(cause);
    assertThat(channel.isOpen()).isFalse();
    return CloseOnError.failures() - before;
  }
}
