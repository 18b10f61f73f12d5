package io.github.mimalloc4j.microbench.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MeasuringJvmTest {
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  record Sum(int sum, long pid) {}

  record Addition(String subject, int a, int b) implements MeasuringJvm.Request<Sum> {
    Addition(int a, int b) {
      this("a test", a, b);
    }

    @Override
    public Sum measure(Consumer<String> progress) {
      System.out.println("other");
      new Thread(LockSupport::park).start(); // as an allocator of others may
      progress.accept("half");
      return new Sum(Math.addExact(a, b), ProcessHandle.current().pid());
    }
  }

  private Sum measure(Addition request, String... flags) throws Exception {
    return MeasuringJvm.measure(request, Sum.class, List.of(flags), heard::add);
  }

  @Test
  void requestAndResultReachTheOtherSide() throws Exception {
    Sum sum = measure(new Addition(3, 4));

    assertThat(sum.sum()).isEqualTo(7);
    assertThat(sum.pid()).isNotEqualTo(ProcessHandle.current().pid());
    assertThat(heard).containsExactly("half");
  }

  @Test
  void failureIsToldInTheOtherJvmsOwnWords() {
    assertThatThrownBy(() -> measure(new Addition(3, 4), "-XX:+NoSuchFlag"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the JVM for a test ended with exit code 1")
        .hasMessageContaining("NoSuchFlag");
    assertThatThrownBy(() -> measure(new Addition(Integer.MAX_VALUE, 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("exit code 1", "other", "integer overflow");
  }
}
