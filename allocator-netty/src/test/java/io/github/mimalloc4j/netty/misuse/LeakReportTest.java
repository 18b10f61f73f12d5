package io.github.mimalloc4j.netty.misuse;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.Test;

/**
 * Netty's leak detector sees the buffers. In a JVM of its own, for it works with the whole heap.
 */
class LeakReportTest {

  @Test
  void aLeakedBufferIsReportedAndAReleasedOneIsNot() {
    String output =
        OtherJvm.run(LeakAndRelease.class, "-Xmx64m", "-Dio.netty.leakDetection.targetRecords=8")
            .assertSucceeded()
            .output();
    assertThat(output)
        .contains("released: 0 reports")
        .contains("\ndirect: reported", "\nheap: reported")
        .contains("\ngrown direct: reported", "\ngrown heap: reported");
  }

  static final class LeakAndRelease {
    private static volatile int reports;

    public static void main(String[] args) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
      ByteBufUtil.setLeakListener((type, records) -> reports++);
      MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
      for (int i = 0; i < 1000; i++) {
        use(allocator, i % 2 == 0).release();
      }
      collectAndAllocate(allocator);
      System.out.println("released: " + reports + " reports");
      for (boolean direct : new boolean[] {true, false}) {
        reports = 0;
        use(allocator, direct);
        collectAndAllocate(allocator);
        System.out.println(
            (direct ? "direct: " : "heap: ") + (reports > 0 ? "reported" : "not reported"));
        reports = 0;
        use(allocator, direct).capacity(100_000).touch("grown to another block");
        collectAndAllocate(allocator);
        System.out.println(
            (direct ? "grown direct: " : "grown heap: ")
                + (reports > 0 ? "reported" : "not reported"));
      }
    }

    private static ByteBuf use(MiMallocByteBufAllocator allocator, boolean direct) {
      return allocate(allocator, direct, 100).writeInt(1).touch("here");
    }

    /** The detector looks when a buffer is allocated, after a collection found the leaked one. */
    private static void collectAndAllocate(MiMallocByteBufAllocator allocator) {
      for (int i = 0; i < 30 && reports == 0; i++) {
        System.gc();
        allocator.directBuffer(8).release();
      }
    }
  }
}
