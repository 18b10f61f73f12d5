package io.github.mimalloc4j.activationtests.programs;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;
import software.amazon.awssdk.http.async.SimpleSubscriber;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;

/** The HTTP client of the AWS SDK, with a server of the JDK's. */
public final class AwsHttpProgram {

  private AwsHttpProgram() {}

  public static void main(String[] args) throws Exception {
    byte[] sent = new byte[Traffic.BYTES];
    Arrays.fill(sent, (byte) 'x');
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    AtomicReference<SdkAsyncHttpClient> client = new AtomicReference<>();
    Traffic.report(
        () -> {
          if (client.get() == null) { // made once, for it takes two seconds to close
            client.set(NettyNioAsyncHttpClient.create());
          }
          return Arrays.equals(sent, post(client.get(), server.getAddress().getPort(), sent));
        });
    client.get().close();
    server.stop(0);
    System.exit(0);
  }

  private static byte[] post(SdkAsyncHttpClient client, int port, byte[] body) throws Exception {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    WritableByteChannel channel = Channels.newChannel(answer);
    AsyncExecuteRequest request =
        AsyncExecuteRequest.builder()
            .request(
                SdkHttpFullRequest.builder()
                    .method(SdkHttpMethod.POST)
                    .uri(URI.create("http://localhost:" + port + "/"))
                    .putHeader("Host", "localhost")
                    .putHeader("Content-Length", Integer.toString(body.length))
                    .build())
            .requestContentPublisher(new Body(body))
            .responseHandler(
                new SdkAsyncHttpResponseHandler() {
                  @Override
                  public void onHeaders(SdkHttpResponse headers) {}

                  @Override
                  public void onStream(Publisher<ByteBuffer> stream) {
                    stream.subscribe(
                        new SimpleSubscriber(
                            part -> {
                              try {
                                channel.write(part);
                              } catch (IOException e) {
                                throw new AssertionError(e);
                              }
                            }));
                  }

                  @Override
                  public void onError(Throwable error) {
                    error.printStackTrace();
                  }
                })
            .build();
    client.execute(request).get(1, TimeUnit.MINUTES);
    return answer.toByteArray();
  }

  private record Body(byte[] bytes) implements SdkHttpContentPublisher {
    @Override
    public Optional<Long> contentLength() {
      return Optional.of((long) bytes.length);
    }

    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
      Flux.just(ByteBuffer.wrap(bytes)).subscribe(subscriber);
    }
  }
}
