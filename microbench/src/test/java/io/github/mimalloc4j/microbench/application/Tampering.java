package io.github.mimalloc4j.microbench.application;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Stands between a server and its clients, and makes the server a wrong one: it changes what comes
 * from it, once. Where there is a content to be seen, that is one of its letters, so that all else
 * is as it should be; else it is the rest of what was read, for a single byte may be of a header
 * that nobody reads.
 */
final class Tampering implements Server {
  /** So many letters in a row are content, and no header. */
  private static final int LETTERS = 24;

  private final EventLoopGroup loop = Transport.NIO.newGroup(1);
  private final Server server;
  private final int unharmed;
  private final boolean seesContent;
  private final Channel listener;
  private boolean done; // on the loop's thread

  /**
   * Starts to listen.
   *
   * @param unharmed bytes that pass before it begins to look
   * @param seesContent whether to wait for a content, and change one byte of it
   */
  Tampering(Server server, int unharmed, boolean seesContent) {
    this.server = server;
    this.unharmed = unharmed;
    this.seesContent = seesContent;
    listener =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.AUTO_READ, false)
            .childHandler(ChannelServer.initializer(this::accept))
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  private void accept(Channel client) {
    Bootstrap bootstrap = new Bootstrap().group(loop).channel(NioSocketChannel.class);
    Channel end =
        bootstrap
            .handler(new Changer(client))
            .connect(InetAddress.getLoopbackAddress(), server.port())
            .addListener(
                (ChannelFutureListener)
                    connected -> {
                      client.pipeline().addLast(new Passer(connected.channel()));
                      client.config().setAutoRead(true);
                    })
            .channel();
    client.closeFuture().addListener(closed -> end.close());
  }

  @Override
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @Override
  public void close() {
    server.close();
    ChannelServer.shutDown(loop);
  }

  private static class Passer extends ChannelInboundHandlerAdapter {
    private final Channel peer;

    Passer(Channel peer) {
      this.peer = peer;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      peer.writeAndFlush(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      peer.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  private final class Changer extends Passer {
    private int seen;

    Changer(Channel client) {
      super(client);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      int from = bytes.readerIndex() + Math.max(0, unharmed - seen);
      seen += bytes.readableBytes();
      int at = seesContent ? endOfLetters(bytes, from) : from;
      if (!done && at >= 0 && at < bytes.writerIndex()) {
        done = true;
        int end = seesContent ? at + 1 : bytes.writerIndex();
        for (int i = at; i < end; i++) {
          bytes.setByte(i, bytes.getByte(i) ^ 1);
        }
      }
      super.channelRead(ctx, message);
    }
  }

  /** The last of so many letters; -1 if there are none. */
  private static int endOfLetters(ByteBuf bytes, int from) {
    int letters = 0;
    for (int i = from; i < bytes.writerIndex(); i++) {
      boolean letter = bytes.getByte(i) >= 'a' && bytes.getByte(i) < 'q';
      letters = letter ? letters + 1 : 0;
      if (letters == LETTERS) {
        return i;
      }
    }
    return -1;
  }
}
