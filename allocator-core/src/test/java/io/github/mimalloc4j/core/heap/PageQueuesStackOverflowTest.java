package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.TestAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The holder of a heap comes to the end of its stack while it changes a queue of pages. In a JVM of
 * its own: assertions take more stack than the changes do and so hide them, and only interpreted
 * code has its calls where the source has them.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PageQueuesStackOverflowTest {

  enum Change {
    /** The page of a block that comes back is queued. */
    ENQUEUE,
    /** A page without another block leaves the queue. */
    DEQUEUE
  }

  @ParameterizedTest
  @EnumSource
  void leavesTheQueueWhole(Change change, @TempDir Path folder) throws Exception {
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-da",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=exclude,io/github/mimalloc4j/core/heap/PageQueues.*",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                change.name())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process program = builder.start();
    try {
      program.waitFor();
      assertThat(Files.readString(output)).matches("[1-9]\\d* overflows\\R");
    } finally {
      program.destroyForcibly();
    }
  }

  /** Makes many attempts where the stack ends, and checks each heap in which it did. */
  static final class Program {
    private static final int ATTEMPTS = 6000;
    private static final int STACK_BYTES = 512 * 1024;

    /** Frames that an attempt has below it at most, so that the stack ends at many places. */
    private static final int MOST_FRAMES = 72;

    private final List<Attempt> attempts = new ArrayList<>();
    private int begun;

    public static void main(String[] args) throws InterruptedException {
      Change change = Change.valueOf(args[0]);
      Program program = new Program();
      for (int i = 0; i < ATTEMPTS; i++) {
        program.attempts.add(new Attempt(change));
      }
      Thread deep = new Thread(null, program::descend, "deep", STACK_BYTES);
      deep.start();
      deep.join();
      program.attempts.forEach(Attempt::check);
      System.out.println(
          program.attempts.stream().filter(attempt -> attempt.overflowed).count() + " overflows");
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private void descend() {
      try {
        descend();
      } catch (StackOverflowError e) {
        // Now there is room for some frames.
      }
      for (int frames = 0; frames < MOST_FRAMES && begun < ATTEMPTS; frames++) {
        attempts.get(begun++).run(frames);
      }
    }
  }

  private static final class Attempt {
    /** Of which a page has four. */
    private static final int SIZE = 16_000;

    private static final int PAGE_BLOCKS = 4;

    private final TestAllocator test = new TestAllocator();
    private final Heap<TestBlock> heap = test.acquire();
    private final Change change;
    private final TestBlock block;
    private boolean overflowed;

    Attempt(Change change) {
      this.change = change;
      block = allocate();
      for (int i = 1; i < 2 * PAGE_BLOCKS; i++) {
        allocate();
      }
      if (change == Change.DEQUEUE) {
        block.releaseAsOwner(); // behind the second page, which does not know that it is exhausted
      }
    }

    private TestBlock allocate() {
      return heap.allocate(SIZE).begin();
    }

    void run(int frames) {
      try {
        descend(frames);
      } catch (StackOverflowError e) {
        overflowed = true;
      }
    }

    private void descend(int frames) {
      if (frames % 3 == 1) {
        descend(frames - 1, 0L);
      } else if (frames > 0) {
        descend(frames - 1);
      } else if (change == Change.ENQUEUE) {
        block.releaseAsOwner();
      } else {
        allocate();
      }
    }

    /** A larger frame. */
    private void descend(int frames, long more) {
      descend(frames + (int) more);
    }

    void check() {
      heap.trim(); // which queues a page that the release could not begin to queue
      test.check();
    }
  }
}
