package io.github.mimalloc4j.microbench.application;

import static io.github.mimalloc4j.microbench.Patience.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class BrokerApplicationTest {
  private static final AllocatorKind KIND = AllocatorKind.MIMALLOC;

  /** What all topics keep is at most 32 MiB; a kept message keeps what was read with it. */
  @Test
  void keepsManyMessagesButNotAll() throws Exception {
    ByteBufAllocator allocator = KIND.create();
    Workload broker = Workloads.named("broker").get(0);
    Environment environment = new Environment(allocator, Transport.NIO, 2);
    try (Server server = broker.server().start(environment);
        ClosedLoop loop = new ClosedLoop(broker, server.port(), 4)) {
      loop.run(3000); // about 100 MiB

      assertThat(loop.firstError()).isNull();
      assertThat(pinned(allocator)).isBetween(4L << 20, 64L << 20);
    }
    await().untilAsserted(() -> assertThat(pinned(allocator)).isZero());
  }

  /** Otherwise allocators that are compared would have different work. */
  @Test
  void theConnectionsOfAllLoadsAreTheSame() throws Exception {
    Environment environment = new Environment(KIND.create(), Transport.NIO, 1);
    try (Server server = Workloads.named("broker").get(0).server().start(environment)) {
      List<List<Integer>> first = topicsAndPaces(server, 6);

      assertThat(first).doesNotHaveDuplicates();
      assertThat(topicsAndPaces(server, 6)).isEqualTo(first);
    }
  }

  private static List<List<Integer>> topicsAndPaces(Server server, int connections)
      throws Exception {
    EventLoopGroup group = Transport.NIO.newGroup(1);
    List<List<Integer>> all = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        BrokerClient client = BrokerClient.connect(group.next(), server.port());
        all.add(List.of(client.topic, client.pace));
      }
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
    return all;
  }

  private static long pinned(ByteBufAllocator allocator) {
    return requireNonNull(KIND.pinnedBytes(allocator, BufferKind.DIRECT));
  }
}
