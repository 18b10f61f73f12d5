package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.DeepStack;
import io.github.mimalloc4j.core.TestAllocator;
import io.github.mimalloc4j.core.memory.StackRoom;
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
 * The holder of a heap comes to the end of its stack in code that is not compiled, in a JVM of its
 * own. Only interpreted code has its calls where the source has them, and needs the most stack; and
 * assertions, which are off in production, would take some before.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class InterpretedStackOverflowTest {

  private static final String CORE = "io/github/mimalloc4j/core/";

  enum Operation {
    /** Queues the page of a block that comes back. */
    ENQUEUE("exclude," + CORE + "heap/PageQueues.*", 6000, 72),
    /** Takes a page without another block out of its queue. */
    DEQUEUE("exclude," + CORE + "heap/PageQueues.*", 6000, 72),
    /** Gives an empty page back. Compiled, the check for enough stack takes the least. */
    GIVE_BACK("compileonly," + CORE + "memory/StackRoom.*", 1500, 4),
    /** Gives back a large page that the heap keeps. */
    GIVE_BACK_KEPT("compileonly," + CORE + "memory/StackRoom.*", 1500, 4);

    private final String compilation;
    private final int attempts;

    /** Up to how many frames an attempt has below it, so that the stack ends at many places. */
    private final int frames;

    Operation(String compilation, int attempts, int frames) {
      this.compilation = compilation;
      this.attempts = attempts;
      this.frames = frames;
    }
  }

  @ParameterizedTest
  @EnumSource
  void leavesNothingHalfDone(Operation operation, @TempDir Path folder) throws Exception {
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-da",
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=" + operation.compilation,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                operation.name())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process program = builder.start();
    try {
      program.waitFor();
      assertThat(Files.readString(output)).matches("[1-9]\\d* overflows, [1-9]\\d* complete\\R");
    } finally {
      program.destroyForcibly();
    }
  }

  /** Makes many attempts where the stack ends, and checks each heap in which it did. */
  static final class Program {
    private static final int WARM_UP = 10_000;

    private Program() {}

    public static void main(String[] args) throws InterruptedException {
      for (int i = 0; i < WARM_UP; i++) {
        StackRoom.requireOwn(); // often enough that it is compiled
      }
      Operation operation = Operation.valueOf(args[0]);
      new Attempt(operation).run(0); // for the JVM to link what is called
      List<Attempt> attempts = new ArrayList<>();
      int[] begun = new int[1]; // not a queue, which the stack's end would break
      Runnable before =
          () -> {
            begun[0] = attempts.size();
            for (int i = 0; i < operation.attempts / DeepStack.FRAMES; i++) {
              attempts.add(new Attempt(operation));
            }
          };
      Runnable some =
          () -> {
            for (int frames = 0;
                frames < operation.frames && begun[0] < attempts.size();
                frames++) {
              attempts.get(begun[0]++).run(frames);
            }
          };
      DeepStack.run(before, some);
      attempts.forEach(Attempt::check);
      System.out.println(
          attempts.stream().filter(attempt -> attempt.overflowed).count()
              + " overflows, "
              + attempts.stream().filter(attempt -> attempt.completed).count()
              + " complete");
    }
  }

  private static final class Attempt {
    /** Of which a page has four. */
    private static final int SIZE = 16_000;

    private static final int PAGE_BLOCKS = 4;

    /** With a page to itself, which the heap keeps. */
    private static final int LARGE_SIZE = 1 << 20;

    private final TestAllocator test = new TestAllocator();
    private final Heap<TestBlock> heap = test.acquire();
    private final Runnable operation;
    private boolean mustLoseNothing;
    private boolean overflowed;
    private boolean completed;

    Attempt(Operation operation) {
      switch (operation) {
        case ENQUEUE -> this.operation = pageWithAFullOneBehind()::releaseAsOwner;
        case DEQUEUE -> {
          pageWithAFullOneBehind().releaseAsOwner(); // which does not know yet that it is full
          this.operation = () -> heap.allocate(SIZE);
        }
        case GIVE_BACK -> {
          mustLoseNothing = true;
          List<TestBlock> blocks = allocate(3 * PAGE_BLOCKS);
          blocks.forEach(TestBlock::releaseAsOwner);
          this.operation = heap.pages()::trimOldestRetired;
        }
        case GIVE_BACK_KEPT -> {
          mustLoseNothing = true;
          heap.allocate(LARGE_SIZE).begin().release();
          this.operation = heap::giveBackKeptLarge;
        }
        default -> throw new AssertionError(operation);
      }
    }

    /** Returns a block of the first of two pages without another one. */
    private TestBlock pageWithAFullOneBehind() {
      return allocate(2 * PAGE_BLOCKS).get(0);
    }

    private List<TestBlock> allocate(int count) {
      List<TestBlock> blocks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        blocks.add(heap.allocate(SIZE).begin());
      }
      return blocks;
    }

    void run(int frames) {
      try {
        descend(frames);
        completed = true;
      } catch (StackOverflowError e) {
        overflowed = true;
      }
    }

    private void descend(int frames) {
      if (frames % 3 == 1) {
        descend(frames - 1, 0L);
      } else if (frames > 0) {
        descend(frames - 1);
      } else {
        operation.run();
      }
    }

    /** A larger frame. */
    private void descend(int frames, long more) {
      descend(frames + (int) more);
    }

    void check() {
      heap.trim(); // which queues a page that the release could not begin to queue
      test.check();
      if (mustLoseNothing) {
        test.allocator.trim();
        if (test.source.usedBytes() > 0) {
          throw new AssertionError("memory is lost");
        }
      }
    }
  }
}
