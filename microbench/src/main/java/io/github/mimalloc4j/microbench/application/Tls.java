package io.github.mimalloc4j.microbench.application;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;

/**
 * TLS by the JDK's provider: servers with a certificate of their own, and clients that take any.
 */
final class Tls {
  private Tls() {}

  /**
   * Makes a server's context, with a certificate that it signed itself.
   *
   * @param protocols to be agreed on by ALPN; none if there is just the usual one
   */
  static SslContext server(String... protocols) throws IOException {
    X509Bundle certificate = certificate();
    return context(
        SslContextBuilder.forServer(
            certificate.getKeyPair().getPrivate(), certificate.getCertificatePath()),
        protocols);
  }

  private static X509Bundle certificate() throws IOException {
    try {
      return new CertificateBuilder()
          .ecp256()
          .subject("CN=localhost")
          .addSanDnsName("localhost")
          .addSanIpAddress(InetAddress.getLoopbackAddress())
          .setIsCertificateAuthority(true)
          .buildSelfSigned();
    } catch (Exception e) {
      throw new IOException("cannot create a certificate: " + e.getMessage(), e);
    }
  }

  /** Makes a client's context. It does not look at certificates: the server is on this machine. */
  static SslContext client(String... protocols) throws IOException {
    return context(
        SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE),
        protocols);
  }

  /** Tells when a connection's handshake is done; at once where there is none. */
  static Future<?> handshake(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    return tls == null ? channel.newSucceededFuture() : tls.handshakeFuture();
  }

  private static SslContext context(SslContextBuilder builder, String... protocols)
      throws IOException {
    builder.sslProvider(SslProvider.JDK);
    if (protocols.length > 0) {
      builder
          .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
          .applicationProtocolConfig(
              new ApplicationProtocolConfig(
                  Protocol.ALPN,
                  SelectorFailureBehavior.NO_ADVERTISE,
                  SelectedListenerFailureBehavior.ACCEPT,
                  protocols));
    }
    return builder.build();
  }
}
