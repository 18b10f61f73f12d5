package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for all applications; each has more tests where it has more to say. */
@Timeout(60)
class ApplicationsTest {
  private static final int CONNECTIONS = 2;

  /** What these servers send has a {@link Content} that can be seen. */
  private static final Set<String> READABLE =
      Set.of(
          "http2:h2c",
          "grpc:unary-64",
          "grpc:unary-4k",
          "grpc:streaming-64",
          "grpc:streaming-4k",
          "websocket:plain",
          "proxy:tcp-64",
          "proxy:tcp-4k",
          "broker:queue");

  static List<Named<Workload>> workloads() {
    return Workloads.ALL.stream().map(each -> Named.of(each.name(), each)).toList();
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void serverUsesItsAllocator(Workload workload) throws Exception {
    MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
    int requests = ClosedLoop.someRequests(workload);
    try (Server server = start(workload, allocator);
        ClosedLoop loop = new ClosedLoop(workload, server.port(), CONNECTIONS)) {
      loop.run(requests);

      assertThat(loop.firstError()).isNull();
      assertThat(loop.correct()).isEqualTo(CONNECTIONS * requests);
    }
    // A proxy reads what came together into one buffer, and makes none of its own.
    int least = workload.application().equals("proxy") ? workload.pipelined() : 1;
    long allocations =
        allocator.metric().direct().counts().allocations()
            + allocator.metric().heap().counts().allocations();
    assertThat(allocations).isGreaterThanOrEqualTo(CONNECTIONS * requests / least);
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void wrongServerIsFound(Workload workload) throws Exception {
    boolean readable = READABLE.contains(workload.name());
    try (Server server =
            new Tampering(start(workload, ByteBufAllocator.DEFAULT), 20_000, readable);
        ClosedLoop loop = new ClosedLoop(workload, server.port(), CONNECTIONS)) {
      loop.run(1000);

      assertThat(loop.firstError()).isNotNull();
      assertThat(loop.correct()).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void serverThatEndsLeavesNoRequestUnderWayAndNoBuffer(Workload workload) throws Exception {
    MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
    Server server = start(workload, allocator);
    try (ClosedLoop loop = new ClosedLoop(workload, server.port(), CONNECTIONS)) {
      loop.run(1); // So the connections are in use.
      CountDownLatch left = loop.start(1_000_000);
      server.close();

      assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(loop.firstError()).isNotNull();
    } finally {
      server.close(); // for the second time
    }
    assertThat(liveBytes(allocator)).isZero();
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void nobodyThereIsSaid(Workload workload) throws Exception {
    EventLoopGroup group = Transport.NIO.newGroup(1);
    try (Socket bound = new Socket()) { // and not listening: nobody else can, meanwhile
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      assertThatThrownBy(() -> workload.client().connect(group.next(), bound.getLocalPort()))
          .isInstanceOf(IOException.class)
          .hasMessageMatching("cannot connect: Connection refused.*|connect: UNAVAILABLE.*")
          .hasRootCauseInstanceOf(ConnectException.class);
    } finally {
      ChannelServer.shutDown(group);
    }
  }

  private static long liveBytes(MiMallocByteBufAllocator allocator) {
    return allocator.metric().direct().bytes().live() + allocator.metric().heap().bytes().live();
  }

  private static Server start(Workload workload, ByteBufAllocator allocator) throws Exception {
    return workload.server().start(new Environment(allocator, Transport.NIO, 2));
  }
}
