package io.github.mimalloc4j.microbench.application;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection of gRPC-Java. What it is told, it is told on the event loop's thread. */
final class GrpcClient implements Client {
  private static final int TIMEOUT_SECONDS = 30;

  private final EventLoop loop;
  private final ManagedChannel channel;
  private final int messageBytes;
  private final Queue<Request> inStream = new ArrayDeque<>();

  /** Null if each message has a call of its own. */
  private @Nullable StreamObserver<byte[]> stream;

  private long stamp = Content.firstStamp();

  /** Why there are no more answers. gRPC itself would connect again. */
  private @Nullable String lost;

  private GrpcClient(EventLoop loop, ManagedChannel channel, int messageBytes) {
    this.loop = loop;
    this.channel = channel;
    this.messageBytes = messageBytes;
  }

  static GrpcClient connect(
      EventLoop loop, int port, MethodDescriptor<byte[], byte[]> method, int messageBytes)
      throws IOException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .channelType(NioSocketChannel.class)
            .eventLoopGroup(loop)
            .directExecutor()
            .build();
    try {
      // It connects with the first call.
      ClientCalls.blockingUnaryCall(
          channel,
          GrpcApplication.UNARY,
          CallOptions.DEFAULT.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS),
          new byte[0]);
    } catch (StatusRuntimeException e) {
      channel.shutdownNow();
      throw new IOException("connect: " + e.getMessage(), e);
    }
    GrpcClient client = new GrpcClient(loop, channel, messageBytes);
    if (method == GrpcApplication.STREAMING) {
      loop.submit(client::openStream).syncUninterruptibly();
    }
    return client;
  }

  private void openStream() {
    stream =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(GrpcApplication.STREAMING, CallOptions.DEFAULT), new StreamAnswers());
  }

  @Override
  public EventExecutor executor() {
    return loop;
  }

  @Override
  public void send(Completion completion) {
    @Nullable String error = lost;
    if (error != null) {
      later(completion, error);
      return;
    }
    stamp++;
    byte[] message = Content.message(stamp, messageBytes);
    if (stream != null) {
      inStream.add(new Request(completion, stamp));
      stream.onNext(message);
    } else {
      ClientCalls.asyncUnaryCall(
          channel.newCall(GrpcApplication.UNARY, CallOptions.DEFAULT),
          message,
          new UnaryAnswer(new Request(completion, stamp)));
    }
  }

  /** Not at once: a caller that sends whenever one is completed would never return. */
  private void later(Completion completion, String error) {
    loop.execute(() -> completion.completed(error));
  }

  @Override
  public void flush() {} // gRPC does it by itself, after what the event loop does now.

  @Override
  public @Nullable String lost() {
    return lost;
  }

  @Override
  public void close() {
    breakOff("closed");
  }

  /** Ends all calls. */
  private void breakOff(String error) {
    if (lost == null) {
      lost = error;
      channel.shutdownNow();
    }
  }

  private record Request(Completion completion, long stamp) {}

  private @Nullable String check(byte[] answer, Request request) {
    boolean same =
        answer.length == messageBytes
            && Content.isMessage(Unpooled.wrappedBuffer(answer), 0, messageBytes, request.stamp());
    return same ? null : "a message that differs from the one sent";
  }

  private final class UnaryAnswer implements StreamObserver<byte[]> {
    private final Request request;
    private @Nullable String error = "an answer without a message";

    UnaryAnswer(Request request) {
      this.request = request;
    }

    @Override
    public void onNext(byte[] answer) {
      error = check(answer, request);
    }

    @Override
    public void onError(Throwable cause) {
      breakOff(cause.toString());
      later(request.completion(), cause.toString());
    }

    @Override
    public void onCompleted() {
      request.completion().completed(error);
    }
  }

  private final class StreamAnswers implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] answer) {
      Request request = inStream.poll();
      if (request == null) {
        breakOff("an answer without a pending request");
      } else {
        request.completion().completed(check(answer, request));
      }
    }

    @Override
    public void onError(Throwable cause) {
      end(cause.toString());
    }

    @Override
    public void onCompleted() {
      end("the server ended the call");
    }

    private void end(String error) {
      breakOff(error);
      for (Request each = inStream.poll(); each != null; each = inStream.poll()) {
        later(each.completion(), error);
      }
    }
  }
}
