package io.github.mimalloc4j.microbench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadRoleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "nioEventLoopGroup-3-1",
        "epollEventLoopGroup-2-4",
        "multiThreadIoEventLoopGroup-2-1",
        "defaultEventExecutorGroup-4-1",
        "reactor-http-epoll-2",
        "reactor-tcp-nio-1",
        "vert.x-eventloop-thread-0",
        "grpc-default-worker-ELG-1-1",
        "lettuce-nioEventLoop-4-1",
        "lettuce-epollEventLoop-4-1",
        "nio event loop-2-1"
      })
  void eventLoopsAreKnownByTheirNames(String name) {
    assertThat(ThreadRole.of(name, "main", false)).isEqualTo(ThreadRole.EVENT_LOOP);
    assertThat(ThreadRole.of("a", name, false)).isEqualTo(ThreadRole.EVENT_LOOP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"main", "pool-1-thread-1", "http-exec-3", "", "ForkJoinPool-1-worker-1", "senior"})
  void othersAreNot(String name) {
    assertThat(ThreadRole.of(name, "main", false)).isEqualTo(ThreadRole.PLAIN);
  }

  @Test
  void virtualThreadsAreWhatTheyAreWhateverTheirName() {
    assertThat(ThreadRole.of("nioEventLoopGroup-3-1", null, true)).isEqualTo(ThreadRole.VIRTUAL);
    assertThat(ThreadRole.of(null, null, true)).isEqualTo(ThreadRole.VIRTUAL);
  }
}
