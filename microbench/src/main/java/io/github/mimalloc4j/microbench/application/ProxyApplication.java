package io.github.mimalloc4j.microbench.application;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.socksx.v4.DefaultSocks4CommandResponse;
import io.netty.handler.codec.socksx.v4.Socks4CommandRequest;
import io.netty.handler.codec.socksx.v4.Socks4CommandStatus;
import io.netty.handler.codec.socksx.v4.Socks4CommandType;
import io.netty.handler.codec.socksx.v4.Socks4ServerDecoder;
import io.netty.handler.codec.socksx.v4.Socks4ServerEncoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A proxy of the SOCKS protocol, version 4. The channels of clients have event loops of their own,
 * and so have those to where the clients want to go: each buffer is allocated on one of them and
 * released on another.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class ProxyApplication implements Application {
  private static final int SMALL = 64;
  private static final int LARGE = 4 << 10;
  private static final int PIPELINED = 16;

  static List<Workload> workloads() {
    return List.of(workload("tcp-64", SMALL), workload("tcp-4k", LARGE));
  }

  private static Workload workload(String variant, int bytes) {
    return new Workload(
        "proxy",
        variant,
        "messages of %,d B through a SOCKS proxy to an echo server of the client".formatted(bytes),
        new ProxyApplication(),
        (loop, port) -> ProxyClient.connect(loop, port, bytes),
        PIPELINED,
        null);
  }

  @Override
  public Server start(Environment environment) throws IOException {
    EventLoopGroup outward = environment.transport().newGroup(environment.eventLoops());
    Bootstrap connector =
        new Bootstrap()
            .group(outward)
            .channel(environment.transport().channel())
            .option(ChannelOption.ALLOCATOR, environment.allocator())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.AUTO_READ, false);
    try {
      return ChannelServer.start(
              environment,
              client ->
                  client
                      .pipeline()
                      .addLast(Socks4ServerEncoder.INSTANCE)
                      .addLast(new Socks4ServerDecoder())
                      .addLast(new Command(connector)))
          .onClosed(() -> ChannelServer.shutDown(outward));
    } catch (IOException e) {
      ChannelServer.shutDown(outward);
      throw e;
    }
  }

  /** Connects to where the client wants to go, on this machine only. */
  private static final class Command extends SimpleChannelInboundHandler<Socks4CommandRequest> {
    private final Bootstrap connector;

    Command(Bootstrap connector) {
      this.connector = connector;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Socks4CommandRequest request) {
      if (request.decoderResult().isFailure()
          || !request.type().equals(Socks4CommandType.CONNECT)) {
        refuse(ctx.channel());
        return;
      }
      Channel client = ctx.channel();
      client.config().setAutoRead(false);
      InetAddress address = InetAddress.getLoopbackAddress();
      connector
          .clone()
          .handler(new Relay(client))
          .connect(new InetSocketAddress(address, request.dstPort()))
          .addListener(
              (ChannelFutureListener)
                  connected -> client.eventLoop().execute(() -> connected(client, connected)));
    }

    private void connected(Channel client, ChannelFuture connected) {
      if (!connected.isSuccess()) {
        refuse(client);
        return;
      }
      Channel target = connected.channel();
      client
          .writeAndFlush(new DefaultSocks4CommandResponse(Socks4CommandStatus.SUCCESS))
          .addListener(
              written -> {
                if (written.isSuccess()) {
                  relay(client, target);
                } else {
                  target.close(); // the client is gone
                }
              });
    }

    private void relay(Channel client, Channel target) {
      client.pipeline().remove(Socks4ServerEncoder.INSTANCE);
      client.pipeline().remove(Socks4ServerDecoder.class);
      client.pipeline().replace(this, null, new Relay(target));
      client.read();
      target.read();
    }

    private static void refuse(Channel client) {
      client
          .writeAndFlush(new DefaultSocks4CommandResponse(Socks4CommandStatus.REJECTED_OR_FAILED))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Passes on what comes, to a channel of another event loop, no faster than that one takes it. */
  private static final class Relay extends ChannelInboundHandlerAdapter {
    private final Channel peer;

    Relay(Channel peer) {
      this.peer = peer;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      peer.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      peer.flush();
      if (peer.isWritable()) {
        ctx.read();
      } // else the peer's relay reads on
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      if (ctx.channel().isWritable()) {
        peer.read();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      peer.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      CloseOnError.INSTANCE.exceptionCaught(ctx, cause);
    }
  }
}
