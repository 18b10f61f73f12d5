package io.github.mimalloc4j.microbench.http;

import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;

/** Certificates of servers that are to be tried on this machine, and TLS of the JDK with them. */
public final class SelfSigned {
  private SelfSigned() {}

  /** Makes a certificate that a server at this address signed itself. */
  public static X509Bundle certificate(InetAddress address) throws IOException {
    try {
      return new CertificateBuilder()
          .ecp256()
          .subject("CN=localhost")
          .addSanDnsName("localhost")
          .addSanIpAddress(address)
          .setIsCertificateAuthority(true)
          .buildSelfSigned();
    } catch (Exception e) {
      throw new IOException("cannot create a certificate: " + e.getMessage(), e);
    }
  }

  /** Begins the context of a server that has a certificate. */
  public static SslContextBuilder server(X509Bundle certificate) {
    return SslContextBuilder.forServer(
            certificate.getKeyPair().getPrivate(), certificate.getCertificatePath())
        .sslProvider(SslProvider.JDK);
  }
}
