package io.github.mimalloc4j.netty.figures;

import static io.github.mimalloc4j.netty.support.Patience.await;
import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.CountedBlock;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.events.AllocatorEvents;
import io.github.mimalloc4j.netty.misuse.DoubleReleaseTest;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.NettyLine;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What recordings have of real buffers, beside those of Netty's own allocator. */
@ExtendWith(LeakDetectionOff.class)
class FlightRecorderTest {

  private static final Path DOCUMENTATION = Path.of("../docs/observability.md");

  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();

  static Stream<Arguments> kinds() {
    return Arrays.stream(ThreadKind.available())
        .flatMap(kind -> Stream.of(Arguments.of(kind, true), Arguments.of(kind, false)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anAllocationAndAReleaseByAnotherThreadTellAllOfTheBuffer(ThreadKind kind, boolean direct) {
    ByteBuf[] buffer = new ByteBuf[1];
    String[] allocating = new String[1];
    long[] address = new long[1];
    Recorded recorded =
        Recorded.of(
            () -> {
              buffer[0] =
                  kind.call(
                      () -> {
                        allocating[0] = Thread.currentThread().getName();
                        return direct
                            ? allocator.directBuffer(1000, 5000)
                            : allocator.heapBuffer(1000, 5000);
                      });
              buffer[0].writeZero(300);
              address[0] = buffer[0].hasMemoryAddress() ? buffer[0].memoryAddress() : 0;
              return ThreadKind.PLAIN.call(buffer[0]::release);
            });
    RecordedEvent allocated = recorded.only("AllocateBuffer");
    RecordedEvent freed = recorded.only("FreeBuffer");
    for (RecordedEvent event : List.of(allocated, freed)) {
      assertThat(event.getClass("allocatorType").getName())
          .isEqualTo(MiMallocByteBufAllocator.class.getName());
      assertThat(event.getInt("size")).isEqualTo(1000);
      assertThat(event.getInt("maxFastCapacity"))
          .isEqualTo(((CountedBlock) buffer[0]).blockBytes())
          .isBetween(1000, 1200);
      assertThat(event.getInt("maxCapacity")).isEqualTo(5000);
      assertThat(event.getBoolean("direct")).isEqualTo(direct);
      assertThat(event.getLong("address")).isEqualTo(address[0]);
      assertThat(event.getStackTrace().getFrames()).isNotEmpty();
    }
    assertThat(allocated.getBoolean("chunkPooled")).isTrue();
    assertThat(allocated.getBoolean("chunkThreadLocal")).isEqualTo(kind.ownsHeap());
    assertThat(allocated.getThread().getJavaName()).isEqualTo(allocating[0]);
    assertThat(freed.getThread().getJavaName()).isEqualTo("plain");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  @Tag(NettyLine.NEEDS_4_2)
  void theSameProgramIsRecordedAsNettysOwnAllocatorRecordsIt(ThreadKind kind, boolean direct) {
    ByteBufAllocator nettys = new AdaptiveByteBufAllocator(true);
    Recorded recorded =
        Recorded.of(
            () -> {
              for (ByteBufAllocator each : List.of(allocator, nettys)) {
                ByteBuf left = kind.call(() -> liveOf(each, direct));
                ThreadKind.PLAIN.call(left::release);
              }
              return null;
            });
    List<String> ours = program(recorded.by(MiMallocByteBufAllocator.class));
    assertThat(ours).isEqualTo(program(recorded.by(AdaptiveByteBufAllocator.class)));
    assertThat(ours).filteredOn(event -> event.startsWith("ReallocateBuffer")).hasSize(2);
    assertThat(ours).filteredOn(event -> event.startsWith("AllocateBuffer")).hasSize(3 + 2);
    assertThat(ours).filteredOn(event -> event.startsWith("FreeBuffer")).hasSize(3);
    recorded
        .named("AllocateBuffer")
        .forEach(
            event ->
                assertThat(event.getBoolean("chunkPooled"))
                    .isEqualTo(event.getInt("size") < 9 << 20));
  }

  /** Growth in place and elsewhere, views, references, a huge buffer; one is left. */
  private static ByteBuf liveOf(ByteBufAllocator allocator, boolean direct) {
    ByteBuf buffer = direct ? allocator.directBuffer(100) : allocator.heapBuffer(100, 100_000);
    buffer.writeLong(1).capacity(20).capacity(30_000);
    buffer.retainedSlice().release();
    buffer.capacity(90_000).release();
    ByteBuf huge = direct ? allocator.directBuffer(9 << 20) : allocator.heapBuffer(9 << 20);
    ByteBuf left = direct ? allocator.directBuffer(2000) : allocator.heapBuffer(2000);
    huge.release();
    return left;
  }

  private static List<String> program(Recorded recorded) {
    return recorded.named("AllocateBuffer", "FreeBuffer", "ReallocateBuffer").stream()
        .map(
            event -> {
              String name = Recorded.name(event);
              return name
                  + " size="
                  + event.getInt("size")
                  + " maxCapacity="
                  + event.getInt("maxCapacity")
                  + " direct="
                  + event.getBoolean("direct")
                  + (name.startsWith("Re") ? " newCapacity=" + event.getInt("newCapacity") : "");
            })
        .toList();
  }

  @Test
  @Tag(NettyLine.NEEDS_4_2)
  void everyEventHasTheFieldsOfNettysOfThatName() {
    new AdaptiveByteBufAllocator(true).directBuffer(100).release();
    allocator.directBuffer(100).release();
    List<EventType> types = FlightRecorder.getFlightRecorder().getEventTypes();
    for (String name : Recorded.NETTYS) {
      List<EventType> same =
          types.stream().filter(type -> type.getName().equals(name)).distinct().toList();
      assertThat(same).as(name).hasSize(2);
      assertThat(fields(same.get(0))).isEqualTo(fields(same.get(1)));
      assertThat(same.get(0).isEnabled()).isEqualTo(same.get(1).isEnabled()).isFalse();
      assertThat(same.get(0).getCategoryNames()).isEqualTo(same.get(1).getCategoryNames());
      assertThat(same.get(0).getLabel()).isEqualTo(same.get(1).getLabel());
    }
  }

  /** Names, types and units; how they are labelled and described is everybody's own. */
  private static Set<String> fields(EventType type) {
    return type.getFields().stream()
        .map(
            field ->
                field.getName()
                    + ' '
                    + field.getTypeName()
                    + ' '
                    + field.getAnnotationElements().stream()
                        .map(AnnotationElement::getTypeName)
                        .filter(name -> !name.endsWith(".Label") && !name.endsWith(".Description"))
                        .sorted()
                        .toList())
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void segmentsAreChunksAndAPurgeGivesThemBack(boolean direct) {
    long[] used = new long[1];
    Recorded recorded =
        Recorded.of(
                () -> {
                  List<ByteBuf> buffers =
                      IntStream.range(0, 50)
                          .mapToObj(i -> allocate(allocator, direct, 60_000))
                          .toList();
                  buffers.forEach(ByteBuf::release);
                  used[0] = used(direct);
                  assertThat(allocator.trim()).isEqualTo(used[0]);
                  return allocate(allocator, direct, 9 << 20).release();
                })
            .byThisThread();
    List<RecordedEvent> obtained = recorded.named("AllocateChunk");
    List<RecordedEvent> freed = recorded.named("FreeChunk");
    assertThat(obtained).hasSizeGreaterThan(2).hasSameSizeAs(freed);
    assertThat(addressesAndSizes(obtained))
        .containsExactlyInAnyOrderElementsOf(addressesAndSizes(freed));
    assertThat(obtained)
        .allMatch(event -> event.getBoolean("direct") == direct)
        .noneMatch(event -> event.getBoolean("threadLocal"));
    for (List<RecordedEvent> events : List.of(obtained, freed)) {
      RecordedEvent huge = events.get(events.size() - 1);
      assertThat(events).allMatch(event -> event.getBoolean("pooled") == (event != huge));
      assertThat(huge.getInt("capacity")).isEqualTo(9 << 20);
      assertThat(bytes(events)).isEqualTo(used[0] + (9 << 20));
    }
    RecordedEvent purge = recorded.only("Purge");
    assertThat(purge.getInt("segments")).isEqualTo(freed.size() - 1);
    assertThat(purge.getLong("bytes")).isEqualTo(used[0]);
    assertThat(purge.getBoolean("direct")).isEqualTo(direct);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSegmentThatIsLargeForAPageAloneIsPooled(boolean direct) {
    MiMallocByteBufAllocator small =
        MiMallocByteBufAllocator.builder().minSegmentBytes(16384).maxSegmentBytes(16384).build();
    Recorded recorded =
        Recorded.of(
                () -> {
                  allocate(small, direct, 60_000).release(); // shares a page with others
                  return allocate(small, direct, 200_000).release();
                })
            .byThisThread();
    for (String event : List.of("AllocateChunk", "AllocateBuffer")) {
      String pooled = event.equals("AllocateChunk") ? "pooled" : "chunkPooled";
      assertThat(recorded.named(event))
          .as(event)
          .extracting(each -> each.getBoolean(pooled))
          .containsExactly(true, false);
    }
    small.close();
  }

  private long used(boolean direct) {
    return direct ? allocator.metric().usedDirectMemory() : allocator.metric().usedHeapMemory();
  }

  private static List<String> addressesAndSizes(List<RecordedEvent> events) {
    return events.stream()
        .map(event -> event.getLong("address") + " " + event.getInt("capacity"))
        .toList();
  }

  private static long bytes(List<RecordedEvent> events) {
    return events.stream().mapToLong(event -> event.getInt("capacity")).sum();
  }

  @Test
  void anAdoptionIsRecordedByTheThreadThatAdopts() {
    Recorded recorded =
        Recorded.of(
            List.of(),
            () -> {
              ByteBuf left = ThreadKind.EVENT_EXECUTOR.call(() -> allocator.directBuffer(100));
              ByteBuf next = ThreadKind.EVENT_EXECUTOR.call(() -> allocator.directBuffer(100));
              left.release();
              return next.release();
            });
    RecordedEvent adoption = recorded.only("ThreadHeapAdoption");
    assertThat(adoption.getBoolean("direct")).isTrue();
    assertThat(adoption.getThread().getJavaName()).startsWith(ThreadKind.EVENT_EXECUTOR.name());
    assertThat(recorded.events())
        .as("Netty's events are off")
        .noneMatch(event -> Recorded.NETTYS.contains(event.getEventType().getName()));
  }

  @Test
  void aRetryForWantOfMemoryIsRecordedWithWhatIsUsed() {
    MiMallocByteBufAllocator limited =
        MiMallocByteBufAllocator.builder().maxHeapMemory(1 << 20).build();
    long[] used = new long[1];
    Recorded recorded =
        Recorded.of(
            List.of(),
            () -> {
              ByteBuf buffer = limited.heapBuffer(100_000);
              used[0] = limited.metric().usedHeapMemory();
              assertThatThrownBy(() -> limited.heapBuffer(1 << 20))
                  .isInstanceOf(OutOfMemoryError.class);
              return buffer.release();
            });
    RecordedEvent retry = recorded.only("OutOfMemoryRetry");
    assertThat(retry.getBoolean("direct")).isFalse();
    assertThat(retry.getLong("used")).isEqualTo(used[0]);
  }

  @Test
  void aDoubleReleaseThatIsCaughtIsRecorded() {
    try (AllocatorLog log = new AllocatorLog();
        ThreadKind.Group group = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 1)) {
      Recorded recorded =
          Recorded.of(
              List.of(),
              () -> {
                group.call(
                    () -> {
                      List<ByteBuf> live = new ArrayList<>();
                      for (int i = 0; i < 4; i++) {
                        live.add(allocator.directBuffer(900));
                      }
                      ByteBuf twice = live.remove(1);
                      twice.release();
                      DoubleReleaseTest.deferAgain((MiMallocByteBuf) twice);
                      for (int i = 0; i < 500; i++) { // until the page has to collect
                        live.add(allocator.directBuffer(900));
                      }
                      live.forEach(ByteBuf::release);
                      return null;
                    });
                await().until(() -> log.records().size() == 1); // told after it is recorded
                return null;
              });
      assertThat(recorded.only("DoubleRelease").getBoolean("direct")).isTrue();
      assertThat(recorded.only("DoubleRelease").getLong("releases")).isOne();
      assertThat(log.records()).hasSize(1);
    }
  }

  @Test
  void buffersOfBeforeAndAfterARecordingAreNotInIt() {
    ByteBuf before = allocator.directBuffer(100);
    ByteBuf[] during = new ByteBuf[1];
    Recorded first =
        Recorded.of(
            () -> {
              during[0] = allocator.directBuffer(200);
              return before.release();
            });
    assertThat(AllocatorEvents.allocationsAreRecorded()).isFalse();
    assertThat(AllocatorEvents.releasesAreRecorded()).isFalse();
    assertThat(AllocatorEvents.reallocationsAreRecorded()).isFalse();
    during[0].release();
    allocator.directBuffer(300).release();
    assertThat(first.only("AllocateBuffer").getInt("size")).isEqualTo(200);
    assertThat(first.only("FreeBuffer").getInt("size")).isEqualTo(100);
    Recorded second = Recorded.of(() -> allocator.directBuffer(400).release());
    assertThat(second.only("AllocateBuffer").getInt("size")).isEqualTo(400);
  }

  @Test
  void eachEventIsSwitchedOnByItself() {
    for (String name : List.of("AllocateBuffer", "FreeBuffer", "ReallocateBuffer")) {
      Recorded recorded =
          Recorded.of(
                  List.of("io.netty." + name),
                  () -> allocator.directBuffer(100).capacity(50_000).release())
              .byThisThread();
      assertThat(recorded.events()).isNotEmpty().allMatch(e -> Recorded.name(e).equals(name));
    }
  }

  /** As one line, for the documentation may break it. */
  private static final String START =
      "-XX:StartFlightRecording:filename=buffers.jfr,"
          + "+io.netty.AllocateBuffer#enabled=true,+io.netty.FreeBuffer#enabled=true";

  private static final String PRINT =
      "jfr print --events io.netty.AllocateBuffer --stack-depth 5 buffers.jfr";

  @Test
  void theCommandsOfTheDocumentationRecordAndPrint(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("buffers.jfr");
    OtherJvm.run(UseAllocator.class, START.replace("buffers.jfr", file.toString()))
        .assertSucceeded();
    List<String> command = new ArrayList<>(List.of(PRINT.split(" ")));
    command.set(0, Path.of(System.getProperty("java.home"), "bin", "jfr").toString());
    command.set(command.size() - 1, file.toString());
    Path printed = folder.resolve("printed");
    Process process = new ProcessBuilder(command).redirectOutput(printed.toFile()).start();
    assertThat(process.waitFor()).isZero();
    assertThat(Files.readString(printed))
        .contains("io.netty.AllocateBuffer {")
        .contains("size = 777 bytes")
        .contains("allocatorType = " + MiMallocByteBufAllocator.class.getName());
    Recorded recorded = Recorded.in(file);
    assertThat(recorded.only("FreeBuffer").getInt("size")).isEqualTo(777);
    String documentation = Files.readString(DOCUMENTATION).replaceAll("\\\\\\n *", "");
    assertThat(documentation).contains(START, PRINT);
  }

  @Test
  void theDocumentationNamesEveryEvent() throws IOException {
    String documentation = Files.readString(DOCUMENTATION);
    List<String> own =
        Stream.of(Recorded.OWN, Recorded.PERIODIC, List.of(Recorded.OF_PROCESS))
            .flatMap(List::stream)
            .toList();
    assertThat(Stream.concat(Recorded.NETTYS.stream(), own.stream()))
        .allMatch(name -> documentation.contains('`' + name + '`'));
    allocator.directBuffer(100).release();
    Set<String> known =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .map(EventType::getName)
            .filter(name -> name.startsWith("io.github.mimalloc4j."))
            .collect(Collectors.toSet());
    assertThat(known).containsExactlyInAnyOrderElementsOf(own);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--limit-modules=java.base,java.logging,jdk.unsupported",
        "-Dio.netty.jfr.enabled=false"
      })
  void withoutFlightRecorderNoEventIsLoaded(String option) {
    String output =
        OtherJvm.run(UseAllocator.class, option, "-Xlog:class+load=info")
            .assertSucceeded()
            .output();
    assertThat(output)
        .contains("netty.events.AllocatorEvents ")
        .doesNotContain("mimalloc4j.netty.jfr.");
  }

  @Test
  void theAllocatorDoesNotStartFlightRecorder() {
    OtherJvm.run(NotInitialized.class).assertSucceeded();
  }

  /** To register the first one takes long. */
  @Test
  void noEventIsRegisteredBeforeFlightRecorderIsUsed() {
    String output =
        OtherJvm.run(UseAllocator.class, "-Xlog:class+load=info").assertSucceeded().output();
    assertThat(output)
        .contains("mimalloc4j.netty.jfr.AllocateBufferEvent ")
        .doesNotContain("jdk.jfr.internal.MetadataRepository ");
  }

  @Test
  void aRecordingThatBeginsLateHasTheEvents() {
    OtherJvm.run(RecordedLate.class).assertSucceeded();
  }

  static final class UseAllocator {
    public static void main(String[] args) {
      allocateAndRelease();
      MiMallocByteBufAllocator.DEFAULT.trim();
    }

    static void allocateAndRelease() {
      ByteBuf buffer = MiMallocByteBufAllocator.DEFAULT.directBuffer(777);
      if (!buffer.capacity(700).capacity(777).release()) {
        throw new AssertionError("not released");
      }
    }
  }

  /** Begins once what asks for the event is compiled. */
  static final class RecordedLate {
    public static void main(String[] args) {
      for (int i = 0; i < 20_000; i++) {
        UseAllocator.allocateAndRelease();
      }
      Recorded recorded =
          Recorded.of(
              () -> {
                UseAllocator.allocateAndRelease();
                return null;
              });
      assertThat(recorded.only("AllocateBuffer").getInt("size")).isEqualTo(777);
    }
  }

  static final class NotInitialized {
    public static void main(String[] args) {
      UseAllocator.main(args);
      if (FlightRecorder.isInitialized()) {
        throw new AssertionError("Flight Recorder was started");
      }
    }
  }
}
