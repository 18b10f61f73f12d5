package io.github.mimalloc4j.microbench.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChildProcessTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  /** Run in other JVMs. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      System.out.println("mine " + args[0]);
      System.err.println("other");
      switch (args[0]) {
        case "fail" -> System.exit(3);
        case "hang" -> Thread.sleep(LONG.toMillis());
        case "follow" -> {
          ChildProcess.endWithParent();
          System.out.println("mine " + ProcessHandle.current().pid());
          Thread.sleep(LONG.toMillis());
        }
        case "lead" -> {
          try (ChildProcess follower =
              ChildProcess.startJvm(
                  "a follower", List.of(), Child.class, List.of("follow"), Child::pass)) {
            follower.awaitSuccess(LONG);
          }
        }
        default -> {}
      }
    }

    private static boolean pass(String line) {
      System.out.println(line);
      return true;
    }
  }

  @Test
  void linesAreHeardAndTheOthersReturned() throws Exception {
    try (ChildProcess child = start("work")) {
      assertThat(child.awaitSuccess(LONG)).isEqualTo("other\n");
    }
    assertThat(heard).containsExactly("mine work");
  }

  @Test
  void failureIsToldWithTheOutputThatNobodyWanted() throws Exception {
    try (ChildProcess child = start("fail")) {
      assertThatThrownBy(() -> child.awaitSuccess(LONG))
          .isInstanceOf(IOException.class)
          .hasMessage("the JVM for a test ended with exit code 3\nother\n");
    }
    assertThat(heard).containsExactly("mine fail");
  }

  /** Repeated, because closing may find the reader in the middle of a read, or between two. */
  @RepeatedTest(10)
  void patienceEndsAndCloseStopsTheProcess() throws Exception {
    try (ChildProcess child = start("hang")) {
      assertThat(heard.take()).isEqualTo("mine hang");
      assertThatThrownBy(() -> child.awaitSuccess(Duration.ofMillis(1)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the JVM for a test did not end within 0 s");
      child.close();
      child.ended().get();
      assertThat(child.process().waitFor()).isNotZero();
    }
  }

  /** Killed, so that no hook of its own can stop the JVM that it started. */
  @Test
  void jvmEndsWithAParentThatIsKilled() throws Exception {
    try (ChildProcess parent = start("lead")) {
      assertThat(heard.take()).isEqualTo("mine lead");
      assertThat(heard.take()).isEqualTo("mine follow");
      long pid = Long.parseLong(heard.take().substring("mine ".length()));
      ProcessHandle follower = ProcessHandle.of(pid).orElseThrow();
      assertThat(runs(follower)).isTrue();
      parent.process().destroyForcibly();
      await().atMost(Duration.ofSeconds(20)).until(() -> !runs(follower));
    }
  }

  /** One that has ended may still be there, because nobody has asked how it ended. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  @Test
  void failureOfTheListenerIsTold() throws Exception {
    try (ChildProcess child =
        ChildProcess.startJvm(
            "a test",
            List.of(),
            Child.class,
            List.of("fail"),
            line -> {
              throw new IllegalStateException("planted");
            })) {
      assertThatThrownBy(() -> child.awaitSuccess(LONG)).hasMessageContaining("planted");
    }
  }

  private ChildProcess start(String what) throws IOException {
    return ChildProcess.startJvm("a test", List.of(), Child.class, List.of(what), this::isMine);
  }

  private boolean isMine(String line) {
    return line.startsWith("mine ") && heard.add(line);
  }
}
