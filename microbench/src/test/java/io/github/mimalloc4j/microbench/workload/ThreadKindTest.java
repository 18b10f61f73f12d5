package io.github.mimalloc4j.microbench.workload;

import static io.github.mimalloc4j.microbench.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
class ThreadKindTest {
  static List<ThreadKind> kinds() {
    return ThreadKind.available();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void threadsOfEachKindEnd(ThreadKind kind) throws Exception {
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

    kind.runAll(Collections.nCopies(3, () -> threads.add(Thread.currentThread())));

    assertThat(threads).hasSize(3).doesNotHaveDuplicates();
    // What a thread has left to do when others may go on is its own end.
    await().until(() -> threads.stream().noneMatch(Thread::isAlive));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void allocatorsTakeEventLoopsForThat(ThreadKind kind) throws Exception {
    Runnable check =
        () -> {
          assertThat(ThreadExecutorMap.currentExecutor() != null).isEqualTo(kind.isEventLoop());
          assertThat(FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals())
              .isEqualTo(kind.isEventLoop());
        };

    kind.runAll(List.of(check, check));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void failureOfATaskIsThrown(ThreadKind kind) {
    Runnable failing =
        () -> {
          throw new IllegalStateException("planted");
        };

    assertThatThrownBy(() -> kind.runAll(List.of(failing, failing)))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("planted");
  }
}
