package io.github.mimalloc4j.microbench.application;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An echo on gRPC-Java, without generated code: messages are bytes. Its methods run on an executor
 * like that which gRPC has by default, so that threads other than the event loops allocate the
 * answers' buffers.
 */
final class GrpcApplication implements Application {
  private static final String SERVICE = "mimalloc4j.Echo";

  /** A call for each message. */
  static final MethodDescriptor<byte[], byte[]> UNARY = method("Unary", MethodType.UNARY);

  /** One call for all messages of a connection. */
  static final MethodDescriptor<byte[], byte[]> STREAMING =
      method("Streaming", MethodType.BIDI_STREAMING);

  private static final int SMALL = 64;
  private static final int LARGE = 4 << 10;
  private static final int PIPELINED = 16;
  private static final int CLOSE_TIMEOUT_SECONDS = 5;

  private GrpcApplication() {}

  static List<Workload> workloads() {
    return List.of(
        workload("unary-64", UNARY, SMALL),
        workload("unary-4k", UNARY, LARGE),
        workload("streaming-64", STREAMING, SMALL),
        workload("streaming-4k", STREAMING, LARGE));
  }

  private static Workload workload(
      String variant, MethodDescriptor<byte[], byte[]> method, int bytes) {
    String calls = method == UNARY ? "one call each" : "all in one call";
    return new Workload(
        "grpc",
        variant,
        "echoed messages of %,d B, %s".formatted(bytes, calls),
        new GrpcApplication(),
        (loop, port) -> GrpcClient.connect(loop, port, method, bytes),
        PIPELINED,
        null);
  }

  private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public Server start(Environment environment) throws IOException {
    ServerServiceDefinition echo =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(UNARY, ServerCalls.asyncUnaryCall(GrpcApplication::echo))
            .addMethod(STREAMING, ServerCalls.asyncBidiStreamingCall(Echo::new))
            .build();
    EventLoopGroup group = environment.transport().newGroup(environment.eventLoops());
    Methods methods = new Methods();
    io.grpc.Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .channelType(environment.transport().serverChannel())
            .bossEventLoopGroup(group)
            .workerEventLoopGroup(group)
            .executor(methods)
            .withChildOption(ChannelOption.ALLOCATOR, environment.allocator())
            .addService(echo)
            .build();
    try {
      return new GrpcServer(server.start(), methods, group);
    } catch (IOException e) {
      ChannelServer.shutDown(group);
      throw e;
    }
  }

  private static void echo(byte[] message, StreamObserver<byte[]> answers) {
    answers.onNext(message);
    answers.onCompleted();
  }

  private record Echo(StreamObserver<byte[]> answers) implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] message) {
      answers.onNext(message);
    }

    @Override
    public void onError(Throwable cause) {} // The client has gone.

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }

  /** Runs methods on threads of their own, and knows when all have returned. */
  private static final class Methods implements Executor {
    private final Executor threads = Executors.newCachedThreadPool(Methods::newThread);
    private final Phaser running = new Phaser(1);

    /** Not a thread of Netty's, which allocators tell from others. */
    private static Thread newThread(Runnable methods) {
      Thread thread = new Thread(methods, "grpc-methods");
      thread.setDaemon(true);
      return thread;
    }

    @Override
    public void execute(Runnable method) {
      running.register();
      try {
        threads.execute(() -> run(method));
      } catch (Throwable e) { // for example no more threads
        running.arriveAndDeregister();
        throw e;
      }
    }

    private void run(Runnable method) {
      try {
        method.run();
      } finally {
        running.arriveAndDeregister();
      }
    }

    /** Waits until none is running, but not for ever. */
    void awaitEnd() throws InterruptedException, TimeoutException {
      running.awaitAdvanceInterruptibly(running.arrive(), CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private record GrpcServer(io.grpc.Server server, Methods methods, EventLoopGroup group)
      implements Server {
    @Override
    public int port() {
      return server.getPort();
    }

    /**
     * Methods may still answer when the last connection is closed. gRPC loses the buffer of an
     * answer that an event loop refuses, so the methods end first.
     */
    @Override
    public void close() {
      server.shutdownNow();
      try {
        server.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        methods.awaitEnd();
        ChannelServer.shutDown(group);
        methods.awaitEnd(); // of those that hear of their connection's end
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (TimeoutException e) {
        throw new IllegalStateException("a method does not return", e);
      } finally {
        ChannelServer.shutDown(group); // nevertheless
      }
    }
  }
}
