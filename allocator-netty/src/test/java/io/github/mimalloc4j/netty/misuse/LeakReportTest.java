package io.github.mimalloc4j.netty.misuse;

import static io.github.mimalloc4j.netty.support.Patience.await;
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
        .contains("\ndirect: 1 report\n", "\nheap: 1 report\n")
        .contains("\ngrown direct: 1 report\n", "\ngrown heap: 1 report\n");
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
      for (int i = 0; i < 30; i++) {
        collectAndAllocate(allocator);
      }
      System.out.println("released: " + reports + " reports");
      for (boolean direct : new boolean[] {true, false}) {
        String kind = direct ? "direct: " : "heap: ";
        use(allocator, direct);
        System.out.println(kind + reportedOne(allocator));
        use(allocator, direct).capacity(100_000).touch("grown to another block");
        System.out.println("grown " + kind + reportedOne(allocator));
      }
    }

    private static ByteBuf use(MiMallocByteBufAllocator allocator, boolean direct) {
      return allocate(allocator, direct, 100).writeInt(1).touch("here");
    }

    /** Waits: it is the JVM's own thread that tells the detector what a collection has found. */
    private static String reportedOne(MiMallocByteBufAllocator allocator) {
      int before = reports;
      await()
          .until(
              () -> {
                collectAndAllocate(allocator);
                return reports > before;
              });
      return reports - before + " report";
    }

    /** The detector looks when a buffer is allocated, after a collection found the leaked one. */
    private static void collectAndAllocate(MiMallocByteBufAllocator allocator) {
      System.gc();
      allocator.directBuffer(8).release();
    }
  }
}
