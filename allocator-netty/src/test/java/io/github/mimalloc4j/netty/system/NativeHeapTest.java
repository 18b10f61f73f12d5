package io.github.mimalloc4j.netty.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.management.RuntimeErrorException;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is counted of trims, and what becomes of a command that fails. */
class NativeHeapTest {

  private final AtomicLong resident = new AtomicLong(1000);
  private final AtomicLong nanos = new AtomicLong(-7);
  private final Logger logger = Logger.getLogger(MiMallocByteBufAllocator.class.getName());

  @BeforeEach
  void logAll() {
    logger.setLevel(Level.ALL);
  }

  @AfterEach
  void logAsEver() {
    logger.setLevel(null);
  }

  @Test
  void trimsAndWhatTheyReturnAreAddedUp() {
    NativeHeap heap = heap(new Command("RSS+Swap: 1000K->700K (-300K)", 300));
    assertThat(heap.trim()).isEqualTo(5);
    assertThat(heap.trim()).isEqualTo(5);
    assertThat(heap.trims()).isEqualTo(2);
    assertThat(heap.returnedBytes()).isEqualTo(600);
    assertThat(heap.isAvailable()).isTrue();
    assertThat(heap.unavailable()).isNull();
  }

  /** Others may have touched more memory meanwhile than was given back. */
  @Test
  void nothingIsReturnedWhereMoreIsResidentThanBefore() {
    NativeHeap heap = heap(new Command("", -300));
    heap.trim();
    assertThat(heap.trims()).isEqualTo(1);
    assertThat(heap.returnedBytes()).isZero();
  }

  @Test
  void whereTheSystemDoesNotTellNothingIsReturned() {
    NativeHeap heap = new NativeHeap(new Command("", 0), () -> ProcessStatistics.UNKNOWN, () -> 0);
    assertThat(heap.trim()).as("at least 1: it was done").isEqualTo(1);
    assertThat(heap.trims()).isEqualTo(1);
    assertThat(heap.returnedBytes()).isZero();
  }

  /** For example because the process has no file handle left to read it. */
  @Test
  void whereTheSystemTellsOnlyBeforeNothingIsReturned() {
    long[] resident = {ProcessStatistics.UNKNOWN, 1000};
    int[] left = {resident.length};
    NativeHeap heap = new NativeHeap(new Command("", 0), () -> resident[--left[0]], () -> 0);
    heap.trim();
    assertThat(heap.returnedBytes()).isZero();
  }

  @Test
  void aCommandThatFailsIsNotTriedAgainAndTheLogSaysSoOnce() {
    Command command = new Command("", 0);
    command.failure = new IllegalStateException("no such bean");
    NativeHeap heap = heap(command);
    List<LogRecord> logged = trimTwice(heap);
    assertThat(command.calls).isEqualTo(1);
    assertThat(heap.trims()).isZero();
    assertThat(heap.unavailable()).contains("no such bean");
    assertThat(logged).hasSize(1);
    assertThat(logged.get(0).getLevel()).isEqualTo(Level.FINE);
    assertThat(logged.get(0).getMessage()).contains("no such bean");
  }

  @Test
  void aCommandThatCannotBePreparedIsNotRun() {
    Command command = new Command("", 0);
    command.failureToPrepare = new NoClassDefFoundError("javax/management/JMException");
    NativeHeap heap = heap(command);
    assertThat(trimTwice(heap)).hasSize(1);
    assertThat(command.calls).isZero();
    assertThat(heap.unavailable()).isEqualTo("there is no module java.management");
  }

  /** It asks the JVM for all of its commands, which costs more than many a trim. */
  @Test
  void aCommandIsPreparedOnce() {
    Command command = new Command("", 100);
    NativeHeap heap = heap(command);
    command.failureToPrepare = new OutOfMemoryError("planted");
    assertThat(heap.trim()).isZero();
    assertThat(command.prepared).isZero();
    command.failureToPrepare = null;
    assertThat(heap.trim()).isEqualTo(5);
    assertThat(heap.trim()).isEqualTo(5);
    assertThat(command.prepared).isOne();
    assertThat(command.calls).isEqualTo(2);
  }

  /** As the JDK's own does with musl. */
  @Test
  void aCommandThatIsNotAvailableIsNotTriedAgain() {
    Command command = new Command("Not available.", 0);
    NativeHeap heap = heap(command);
    assertThat(trimTwice(heap)).hasSize(1);
    assertThat(command.calls).isEqualTo(1);
    assertThat(heap.trims()).isZero();
    assertThat(heap.isAvailable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExhaustedJavaHeapIsNoReasonToGiveUp(boolean inTheBean) {
    Command command = new Command("", 100);
    Error error = new OutOfMemoryError("planted");
    command.failure = inTheBean ? new RuntimeErrorException(error) : error;
    NativeHeap heap = heap(command);
    assertThat(trimTwice(heap)).isEmpty();
    assertThat(command.calls).isEqualTo(2);
    command.failure = null;
    assertThat(heap.trim()).isEqualTo(5);
    assertThat(heap.returnedBytes()).isEqualTo(100);
  }

  @Test
  void aTrimIsRecordedWithWhatItReturned(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("trim.jfr");
    NativeHeap heap = heap(new Command("", 300));
    try (Recording recording = new Recording()) {
      recording.start();
      heap.trim();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(e -> e.getEventType().getName().equals("io.github.mimalloc4j.NativeHeapTrim"))
            .filter(e -> e.getThread().getJavaThreadId() == Thread.currentThread().getId())
            .toList();
    assertThat(events).hasSize(1);
    assertThat(events.get(0).getLong("bytes")).isEqualTo(300);
    assertThat(events.get(0).getDuration()).isPositive();
  }

  private static List<LogRecord> trimTwice(NativeHeap heap) {
    try (AllocatorLog log = new AllocatorLog()) {
      assertThat(heap.trim()).isZero();
      assertThat(heap.trim()).isZero();
      return log.records();
    }
  }

  private NativeHeap heap(Command command) {
    return new NativeHeap(command, resident::get, nanos::get);
  }

  /** Takes five nanoseconds. */
  private final class Command implements TrimCommand {

    private final String answer;
    private final long returned;
    private Throwable failure;
    private Throwable failureToPrepare;
    private int prepared;
    private int calls;

    Command(String answer, long returned) {
      this.answer = answer;
      this.returned = returned;
    }

    @Override
    public void prepare() throws Exception {
      throwIt(failureToPrepare);
      prepared++;
    }

    @Override
    public String run() throws Exception {
      calls++;
      throwIt(failure);
      resident.addAndGet(-returned);
      nanos.addAndGet(5);
      return answer;
    }

    private void throwIt(Throwable thrown) throws Exception {
      if (thrown instanceof Error error) {
        throw error;
      } else if (thrown != null) {
        throw (Exception) thrown;
      }
    }
  }
}
