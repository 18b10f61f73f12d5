package io.github.mimalloc4j.microbench;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program: bodies of 64 KiB and 16 MiB go through the HTTPS server and back to a client of Netty,
 * both on the allocator, with every buffer watched for leaks. It loses buffers on purpose if told
 * to.
 *
 * <p>Prints {@code reports: N}, the number of leaks found, once a buffer that it lost last was
 * among them: so a detector that sees nothing is not taken for a clean exchange.
 */
final class ParanoidExchange {

  private static final AtomicInteger REPORTS = new AtomicInteger();

  private ParanoidExchange() {}

  public static void main(String[] args) throws Exception {
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new CountingDetectors());
    boolean losing = Boolean.parseBoolean(args[0]);
    HttpServer.Config config = new HttpServer.Config(AllocatorKind.MIMALLOC, "127.0.0.1", 0, true);
    try (HttpServer server = HttpServer.start(config)) {
      exchange(server);
      if (losing) {
        server.allocator().directBuffer(100);
      }
      awaitReportOfLastBuffer(server.allocator(), losing ? 1 : 0);
    }
    System.out.println("reports: " + REPORTS);
  }

  private static void exchange(HttpServer server) throws Exception {
    SslContext ssl = SslContextBuilder.forClient().trustManager(server.certificate()).build();
    BlockingQueue<byte[]> responses = new LinkedBlockingQueue<>();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel channel =
          new Bootstrap()
              .group(group)
              .channel(NioSocketChannel.class)
              .option(ChannelOption.ALLOCATOR, server.allocator())
              .handler(new Client(ssl, responses))
              .connect("127.0.0.1", server.port())
              .sync()
              .channel();
      for (int size : new int[] {64 << 10, HttpServer.MAX_BODY, 64 << 10}) {
        echo(channel, size, responses);
      }
      channel.close().sync();
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
  }

  private static void echo(Channel channel, int size, BlockingQueue<byte[]> responses)
      throws Exception {
    byte[] body = new byte[size];
    new Random(size).nextBytes(body);
    ByteBuf content = channel.alloc().buffer(size).writeBytes(body);
    DefaultFullHttpRequest request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo", content);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    request.headers().set(HttpHeaderNames.CONTENT_LENGTH, size);
    channel.writeAndFlush(request).sync();
    byte[] response = responses.poll(60, TimeUnit.SECONDS);
    if (!Arrays.equals(body, response)) {
      throw new AssertionError("the echo of " + size + " bytes is not what was sent");
    }
  }

  /** Reports come when buffers are allocated after a collection. */
  private static void awaitReportOfLastBuffer(ByteBufAllocator allocator, int lostBefore)
      throws InterruptedException {
    allocator.heapBuffer(99); // lost
    for (int i = 0; i < 600 && REPORTS.get() <= lostBefore; i++) {
      collect(allocator);
    }
    for (int i = 0; i < 5; i++) {
      collect(allocator); // for what was not to be
    }
  }

  private static void collect(ByteBufAllocator allocator) throws InterruptedException {
    System.gc();
    TimeUnit.MILLISECONDS.sleep(50); // the JVM hands references over in its own time
    allocator.heapBuffer(1).release();
    allocator.directBuffer(1).release();
  }

  private static final class Client extends ChannelInitializer<Channel> {
    private final SslContext ssl;
    private final BlockingQueue<byte[]> responses;

    Client(SslContext ssl, BlockingQueue<byte[]> responses) {
      this.ssl = ssl;
      this.responses = responses;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel
          .pipeline()
          .addLast(ssl.newHandler(channel.alloc(), "localhost", 0))
          .addLast(new HttpClientCodec())
          .addLast(new HttpObjectAggregator(HttpServer.MAX_BODY))
          .addLast(
              new SimpleChannelInboundHandler<FullHttpResponse>() {
                @Override
                protected void channelRead0(ChannelHandlerContext ctx, FullHttpResponse response) {
                  byte[] body = new byte[response.content().readableBytes()];
                  response.content().readBytes(body);
                  responses.add(body);
                }
              });
    }
  }

  private static final class CountingDetectors extends ResourceLeakDetectorFactory {
    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
        Class<T> resource, int samplingInterval, long maxActive) {
      return new ResourceLeakDetector<>(resource, samplingInterval, maxActive) {
        @Override
        protected void reportTracedLeak(String resourceType, String records) {
          REPORTS.incrementAndGet();
          System.err.println("leak of a " + resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
          reportTracedLeak(resourceType, "");
        }
      };
    }
  }
}
