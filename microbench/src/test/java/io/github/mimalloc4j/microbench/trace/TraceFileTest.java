package io.github.mimalloc4j.microbench.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not what they should be: one clear line each. */
class TraceFileTest {
  @TempDir private Path folder;

  private Path recording;
  private Path trace;

  @BeforeEach
  void write() throws Exception {
    recording = folder.resolve("planted.jfr");
    trace = folder.resolve("planted.trace");
    try (PlantedRecording planted = new PlantedRecording()) {
      planted.allocate("main", 1L << 40, 100_000).free("main", 1L << 40, 100_000).in(recording);
    }
    Trace.ofRecording(recording, trace);
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(folder.resolve("file"), content);
  }

  private void assertRefused(Path file, String... words) {
    assertThatThrownBy(() -> Trace.ofRecording(file, folder.resolve("out.trace")))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(words)
        .message()
        .startsWith(file.toString())
        .hasLineCount(1);
  }

  @Test
  void filesThatAreNoRecordingsAreToldApart() throws Exception {
    assertRefused(folder.resolve("none"), "does not exist");
    assertRefused(folder, "cannot be read");
    assertRefused(file(new byte[0]), "is empty");
    assertRefused(file(new byte[] {'F'}), "is not a Flight Recorder recording");
    assertRefused(file("PK something else".getBytes()), "is not a Flight Recorder recording");
  }

  @Test
  void aRecordingThatIsCutOffAnywhereIsRefused() throws Exception {
    byte[] whole = Files.readAllBytes(recording);
    for (int length : new int[] {4, 10, 16, 60, 70, whole.length / 2, whole.length - 1}) {
      assertRefused(file(Arrays.copyOf(whole, length)), "is truncated", length + " ");
    }
    byte[] second = Arrays.copyOf(whole, whole.length + 5);
    assertRefused(file(second), "is truncated", "at byte " + whole.length);
  }

  @Test
  void aDamagedRecordingIsRefused() throws Exception {
    byte[] damaged = Files.readAllBytes(recording);
    Arrays.fill(damaged, 100, damaged.length, (byte) 0x5a);
    assertRefused(file(damaged), "is damaged: the JDK cannot read it");
  }

  @Test
  void aRecordingWithoutBuffersIsRefused() throws Exception {
    try (PlantedRecording empty = new PlantedRecording()) {
      assertRefused(
          empty.in(folder.resolve("empty.jfr")), "has no events of buffers", "record", "4.1");
    }
  }

  @Test
  void aTraceThatIsCutOffIsRefused() throws Exception {
    byte[] whole = Files.readAllBytes(trace);
    for (int length = 8; length < whole.length; length += 7) {
      Path cut = file(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> TraceFile.summary(cut))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("damaged or truncated");
    }
    assertThatThrownBy(() -> TraceFile.summary(recording)).hasMessageContaining("is not a trace");
    assertThatThrownBy(() -> TraceFile.summary(folder.resolve("none")))
        .hasMessageContaining("does not exist");
  }

  @Test
  void aTraceOfAnotherVersionIsRefused() throws Exception {
    byte[] other = Files.readAllBytes(trace);
    other[7]++;
    assertThatThrownBy(() -> TraceFile.summary(file(other)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            folder.resolve("file") + " was written by another version of the replay command");
  }

  @Test
  void everyDamagedOperationIsFound() throws Exception {
    byte[] whole = Files.readAllBytes(trace);
    long[] seen = new long[1];
    TraceFile.visit(trace, (operation, nanos, lane, slot, size, direct) -> seen[0]++);
    assertThat(seen[0]).isEqualTo(2);
    int operations = 4 + 3 + 4 + 1; // a kind, a lane, a slot; a time or two and a size
    for (int i = 8; i < 8 + operations; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x14;
      Path file = file(damaged);
      assertThatThrownBy(
              () -> TraceFile.visit(file, (operation, nanos, lane, slot, size, direct) -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("damaged");
    }
  }
}
