package io.github.mimalloc4j.microbench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.trace.PlantedRecording;
import io.github.mimalloc4j.microbench.trace.Trace;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayRunTest {
  private static final int GIB = 1 << 30;
  private static final long DIRECT = 0x1000;
  private static final long HEAP = 0;

  @TempDir private Path folder;

  /** A program with gigabytes of direct memory may have a small Java heap. */
  @Test
  void theJavaHeapIsAsLargeAsHeapBuffersNeed() throws Exception {
    assertThat(mib(DIRECT, HEAP, 100)).isLessThan(300);
    assertThat(mib(DIRECT, HEAP, GIB)).isBetween(4096, 4400);
    assertThat(mib(HEAP, DIRECT, 100)).isBetween(4096, 4400);
  }

  private int mib(long place, long placeOfOther, int bytesOfOther) throws Exception {
    Path file = folder.resolve("planted.jfr");
    try (PlantedRecording recording = new PlantedRecording()) {
      recording.allocate("loop", place, GIB).allocate("loop", placeOfOther, bytesOfOther).in(file);
    }
    List<String> flags = ReplayRun.flags(Trace.ofRecording(file, folder.resolve("planted.trace")));
    String heap = flags.stream().filter(flag -> flag.startsWith("-Xmx")).findFirst().orElseThrow();
    return Integer.parseInt(heap.substring(4, heap.length() - 1));
  }
}
