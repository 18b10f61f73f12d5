package io.github.mimalloc4j.transporttests;

import io.netty.channel.Channel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What encrypts a connection. */
enum Tls {
  NONE(null),
  JDK(SslProvider.JDK),
  /** netty-tcnative with BoringSSL; reference-counted engines, as its users are advised to take. */
  TCNATIVE(SslProvider.OPENSSL_REFCNT);

  private static final X509Bundle CERTIFICATE = certificate();

  private final @Nullable SslProvider provider;

  Tls(@Nullable SslProvider provider) {
    this.provider = provider;
  }

  /** Those that this machine has. */
  static List<Tls> available() {
    return Arrays.stream(values()).filter(t -> t.unavailable() == null).toList();
  }

  /** Why this machine does not have it, or null if it does. */
  @Nullable Throwable unavailable() {
    return this == TCNATIVE ? OpenSsl.unavailabilityCause() : null;
  }

  /** The context of the server's connections, or null if nothing is encrypted. */
  @Nullable SslContext server() throws Exception {
    return provider == null
        ? null
        : SslContextBuilder.forServer(
                CERTIFICATE.getKeyPair().getPrivate(), CERTIFICATE.getCertificatePath())
            .sslProvider(provider)
            .build();
  }

  /** The context of a client that trusts that server, or null if nothing is encrypted. */
  @Nullable SslContext client() throws Exception {
    return provider == null
        ? null
        : SslContextBuilder.forClient()
            .sslProvider(provider)
            .trustManager(CERTIFICATE.getCertificate())
            .build();
  }

  static SslHandler handler(SslContext context, Channel channel) {
    return context.isClient()
        ? context.newHandler(channel.alloc(), "localhost", 0)
        : context.newHandler(channel.alloc());
  }

  private static X509Bundle certificate() {
    try {
      return new CertificateBuilder()
          .ecp256()
          .subject("CN=localhost")
          .addSanDnsName("localhost")
          .setIsCertificateAuthority(true)
          .buildSelfSigned();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
