package io.github.mimalloc4j.activationtests.programs;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;

/** A server and a client of gRPC-Java, with a service of bytes. */
public final class GrpcProgram {

  private GrpcProgram() {}

  public static void main(String[] args) throws Exception {
    MethodDescriptor<byte[], byte[]> method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("echo.Echo/Echo")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("echo.Echo")
            .addMethod(
                method,
                ServerCalls.asyncUnaryCall(
                    (request, answer) -> {
                      answer.onNext(request);
                      answer.onCompleted();
                    }))
            .build();
    byte[] sent = new byte[Traffic.BYTES];
    Arrays.fill(sent, (byte) 'x');
    Traffic.report(
        () -> {
          Server server =
              NettyServerBuilder.forAddress(
                      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                  .addService(service)
                  .build()
                  .start();
          ManagedChannel channel =
              NettyChannelBuilder.forAddress("localhost", server.getPort()).usePlaintext().build();
          byte[] answer = ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, sent);
          channel.shutdown();
          server.shutdown();
          return Arrays.equals(sent, answer);
        });
    System.exit(0); // Without waiting for the event loops, which gRPC keeps a while.
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
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
}
