package io.github.mimalloc4j.netty.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.CountedBlock;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Sneaky;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An event that fails is missed, and nothing else: where the Java heap is exhausted, Flight
 * Recorder throws more than {@link OutOfMemoryError}.
 */
@ExtendWith(LeakDetectionOff.class)
class AllocatorEventsTest {

  private static final List<String> EVENTS =
      List.of(
          "io.netty.AllocateBuffer",
          "io.netty.FreeBuffer",
          "io.netty.ReallocateBuffer",
          "io.netty.AllocateChunk",
          "io.netty.FreeChunk");

  private final ByteBuf real = MiMallocByteBufAllocator.DEFAULT.directBuffer(8);
  private final Page<?> page = ((CountedBlock) real).page();

  @BeforeEach
  void releaseAndRequireFlightRecorder() {
    real.release();
    assumeThat(FlightRecorderSwitch.isOn()).isTrue();
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new OutOfMemoryError("planted"),
        new InternalError("planted"),
        new BootstrapMethodError("planted"),
        new NoClassDefFoundError("planted"),
        new StackOverflowError("planted"),
        new IllegalStateException("planted"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureOfAnEventOfABufferGoesNowhere(Throwable failure) {
    FailingBuffer buffer = new FailingBuffer(failure);
    try (Recording recording = start()) {
      assertThatCode(() -> AllocatorEvents.allocated(buffer, 0, page)).doesNotThrowAnyException();
      assertThatCode(() -> AllocatorEvents.released(buffer, 0)).doesNotThrowAnyException();
      assertThatCode(() -> AllocatorEvents.reallocating(buffer, 0, 8)).doesNotThrowAnyException();
    }
    assertThat(buffer.failures).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureOfAnEventOfASegmentGoesNowhere(Throwable failure) {
    AllocatorEvents events =
        new AllocatorEvents(MiMallocByteBufAllocator.DEFAULT, true, SegmentListener.NONE);
    FailingMemory memory = new FailingMemory(failure);
    try (Recording recording = start()) {
      assertThatCode(() -> events.segmentObtained(memory, 8, false)).doesNotThrowAnyException();
      assertThatCode(() -> events.segmentFreed(memory, 8, false)).doesNotThrowAnyException();
    }
    assertThat(memory.failures).isEqualTo(2);
  }

  private static Recording start() {
    Recording recording = new Recording();
    EVENTS.forEach(recording::enable);
    recording.start();
    return recording;
  }

  private static final class FailingBuffer extends UnpooledHeapByteBuf {

    private final Throwable failure;
    private int failures;

    FailingBuffer(Throwable failure) {
      super(Unpooled.EMPTY_BUFFER.alloc(), 8, 8);
      this.failure = failure;
    }

    @Override
    public ByteBufAllocator alloc() {
      failures++;
      throw Sneaky.asUnchecked(failure);
    }
  }

  private static final class FailingMemory implements Memory {

    private final Throwable failure;
    private int failures;

    FailingMemory(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public long address() {
      failures++;
      throw Sneaky.asUnchecked(failure);
    }

    @Override
    public void free() {}
  }
}
