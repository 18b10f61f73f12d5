package io.github.mimalloc4j.netty.figures;

import static io.github.mimalloc4j.netty.support.Patience.await;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.blockBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.CountedBlock;
import io.github.mimalloc4j.netty.events.PeriodicEvents;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.Seed;
import io.github.mimalloc4j.netty.support.StampedTraffic;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who holds the memory: from the first byte to the last reference, in each output. */
@ExtendWith(LeakDetectionOff.class)
class LiveProfileTest {

  private static final String HERE = LiveProfileTest.class.getName();

  /** Samples every buffer. */
  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder().sampleLive(1).trimDelayMillis(0).build();

  @AfterEach
  void close() {
    allocator.close(); // or Flight Recorder would keep it
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#withBuffers")
  void aBufferIsSeenUntilItsLastReferenceIsReleased(ThreadKind kind, int bytes, boolean direct) {
    String[] name = new String[1];
    ByteBuf buffer =
        kind.call(
            () -> {
              name[0] = Thread.currentThread().getName();
              return allocateHere(direct, bytes);
            });
    LiveProfile.Site site = onlySite();
    assertThat(site.place()).startsWith(HERE + ".allocateHere(LiveProfileTest.java:");
    assertThat(site.direct()).isEqualTo(direct);
    assertThat(site.bytes()).isEqualTo(blockBytes(buffer)).isEqualTo(live(direct));
    assertThat(site.buffers()).isOne();
    assertThat(site.samples()).isOne();
    assertThat(site.oldestThread()).isEqualTo(name[0]);
    assertThat(site.oldestTrace()).hasSizeBetween(2, 32);
    assertThat(LiveProfile.Site.text(site.oldestTrace().get(0))).isEqualTo(site.place());
    assertThat(site.oldestTrace().get(1).getMethodName()).contains("lambda");
    ByteBuf slice = buffer.retainedSlice(10, 20);
    ByteBuf duplicate = buffer.retainedDuplicate();
    ThreadKind.PLAIN.call(buffer::release);
    kind.call(slice::release);
    assertThat(onlySite()).extracting(LiveProfile.Site::samples).isEqualTo(1);
    ThreadKind.EVENT_EXECUTOR.call(duplicate::release);
    assertNoSample();
    assertNothingHeld(allocator);
  }

  private ByteBuf allocateHere(boolean direct, int bytes) {
    return direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#withBuffers")
  void aBufferThatGrewIsWhoMadeItGrows(ThreadKind kind, int bytes, boolean direct) {
    ByteBuf buffer = kind.call(() -> allocateHere(direct, bytes));
    buffer.capacity(blockBytes(buffer)); // in its block
    assertThat(onlySite().place()).contains(".allocateHere(");
    ThreadKind.PLAIN.call(() -> growHere(buffer, 2 * bytes));
    LiveProfile.Site site = onlySite();
    assertThat(site.place()).startsWith(HERE + ".growHere(");
    assertThat(site.samples()).isOne();
    assertThat(site.bytes()).isEqualTo(blockBytes(buffer)).isGreaterThanOrEqualTo(2 * bytes);
    ThreadKind.PLAIN.call(() -> growHere(buffer, 3 * bytes));
    assertThat(onlySite().samples()).isOne();
    buffer.capacity(bytes); // keeps its block
    assertThat(onlySite().bytes()).isEqualTo(blockBytes(buffer));
    kind.call(buffer::release);
    assertNoSample();
    assertNothingHeld(allocator);
  }

  private static ByteBuf growHere(ByteBuf buffer, int bytes) {
    return buffer.capacity(bytes);
  }

  @Test
  void growthThatFailsChangesNothing() {
    try (MiMallocByteBufAllocator limited =
            MiMallocByteBufAllocator.builder().sampleLive(1).maxDirectMemory(1 << 20).build();
        AllocatorLog log = new AllocatorLog()) {
      ByteBuf buffer = limited.directBuffer(1000);
      assertThatThrownBy(() -> buffer.capacity(2 << 20)).isInstanceOf(OutOfMemoryError.class);
      List<LiveProfile.Site> sites = limited.metric().liveProfile().sites();
      assertThat(sites).hasSize(1);
      assertThat(sites.get(0).place()).contains("growthThatFailsChangesNothing");
      assertThat(sites.get(0).bytes()).isEqualTo(blockBytes(buffer));
      assertThat(log.records()).hasSize(1);
      assertThat(log.records().get(0).getMessage()).contains("growthThatFailsChangesNothing");
      buffer.release();
      assertThat(limited.metric().liveProfile().sites()).isEmpty();
    }
  }

  @Test
  void aBlockThatIsPutBackIsForgotten() {
    CountedBlock block = (CountedBlock) allocator.directBuffer(100);
    assertThat(onlySite().samples()).isOne();
    block.putBack();
    assertNoSample();
    assertNothingHeld(allocator);
  }

  @Test
  void placesAreToldApartAndTheLargestComesFirst() {
    List<ByteBuf> live = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      live.add(few(100));
      live.add(allocateHere(true, 1000));
    }
    List<LiveProfile.Site> sites = allocator.metric().liveProfile().sites();
    assertThat(sites).hasSize(2);
    assertThat(sites.get(0).place()).contains(".allocateHere(");
    assertThat(sites.get(1).place()).contains(".few(");
    assertThat(sites).allMatch(site -> site.samples() == 20 && site.buffers() == 20);
    assertThat(sites.stream().mapToLong(LiveProfile.Site::bytes).sum()).isEqualTo(live(true));
    live.forEach(ByteBuf::release);
    assertNoSample();
  }

  private ByteBuf few(int bytes) {
    return allocator.directBuffer(bytes);
  }

  @Test
  void theOldestSampleIsTold() throws Exception {
    long before = System.nanoTime();
    List<ByteBuf> live = new CopyOnWriteArrayList<>();
    Thread first =
        new Thread(() -> live.add(allocateHere(true, 100)), "first \"of\" \\ them\u00e9\n");
    first.start();
    first.join();
    await().pollDelay(Duration.ofMillis(20)).until(() -> true);
    live.add(allocateHere(true, 100));
    LiveProfile.Site site = onlySite();
    assertThat(site.samples()).isEqualTo(2);
    assertThat(site.oldestThread()).isEqualTo(first.getName());
    assertThat(site.oldestMillis()).isBetween(20L, (System.nanoTime() - before) / 1_000_000 + 1);
    String json = allocator.dumpStatsAsJson();
    assertThat(json).matches("\\p{ASCII}*");
    assertThat(sitesOf(json).get(0).getAsJsonObject().get("oldestThread").getAsString())
        .isEqualTo(first.getName());
    live.forEach(ByteBuf::release);
  }

  /** Whose seed cannot be given: six standard deviations are one in a billion. */
  @Test
  void estimatesOfRealBuffersAreRightOnAverage() {
    try (MiMallocByteBufAllocator sampling =
        MiMallocByteBufAllocator.builder().sampleLive(20_000).build()) {
      SplittableRandom random = new SplittableRandom(1);
      List<ByteBuf> live = new ArrayList<>();
      for (int i = 0; i < 100_000; i++) {
        live.add(sampling.heapBuffer(16 << random.nextInt(10)));
      }
      LiveProfile profile = sampling.metric().liveProfile();
      assertThat(profile.sampleBytes()).isEqualTo(20_000);
      LiveProfile.Site site = profile.sites().get(0);
      assertThat(site.samples()).isGreaterThan(5000); // a standard deviation of 1.4 percent
      assertThat(site.bytes())
          .isCloseTo(sampling.metric().heap().bytes().live(), Percentage.withPercentage(9));
      live.forEach(ByteBuf::release);
      assertThat(sampling.metric().liveProfile().sites()).isEmpty();
    }
  }

  @Test
  void releasesAnywhereLeaveNoSample() {
    Seed.with(this::stress);
  }

  private void stress(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (MiMallocByteBufAllocator sampling =
        MiMallocByteBufAllocator.builder().sampleLive(2_000).build()) {
      StampedTraffic traffic = new StampedTraffic(sampling);
      for (int leg = 0; leg < 3; leg++) {
        List<ThreadKind.Running<Void>> running = new ArrayList<>();
        for (ThreadKind kind : ThreadKind.available()) {
          for (int i = 0; i < 2; i++) {
            StampedTraffic.Worker worker = traffic.new Worker(random.split());
            running.add(kind.start(() -> work(worker)));
          }
        }
        long seen = 0;
        for (int i = 0; i < 20; i++) { // while the others go on
          LiveProfile profile = sampling.metric().liveProfile();
          seen += profile.sites().size();
          assertThat(profile.sites()).allMatch(site -> site.samples() > 0);
        }
        running.forEach(ThreadKind.Running::end);
        seen += sampling.metric().liveProfile().sites().size();
        assertThat(seen).isPositive();
      }
      traffic.releaseAll(random.split());
      assertThat(sampling.metric().liveProfile().sites()).isEmpty();
      assertNothingHeld(sampling);
    }
  }

  private static Void work(StampedTraffic.Worker worker) {
    worker.inherit();
    for (int n = 0; n < 40_000; n++) {
      worker.operate();
    }
    worker.leave();
    return null;
  }

  /** A buffer that a leak detector watches is another one to the program. */
  @Test
  void leakDetectionNeitherAddsNorHidesASample() {
    OtherJvm.run(WithLeakDetection.class, "-Xmx64m").assertSucceeded();
  }

  static final class WithLeakDetection {
    public static void main(String[] args) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
      MiMallocByteBufAllocator allocator =
          MiMallocByteBufAllocator.builder().sampleLive(1).debug(true).build();
      ByteBuf buffer = allocator.directBuffer(100).capacity(50_000);
      List<LiveProfile.Site> sites = allocator.metric().liveProfile().sites();
      assertThat(sites).hasSize(1);
      assertThat(sites.get(0).place()).startsWith(WithLeakDetection.class.getName());
      buffer.release();
      assertThat(allocator.metric().liveProfile().sites()).isEmpty();
      allocator.directBuffer(100).touch("leaked");
      System.gc();
      assertThat(allocator.metric().liveProfile().sites()).hasSize(1);
    }
  }

  @Test
  void debugModeFindsWhatItFindsWithoutSampling() {
    try (MiMallocByteBufAllocator both =
            MiMallocByteBufAllocator.builder().sampleLive(1).debug(true).build();
        AllocatorLog log = new AllocatorLog()) {
      ByteBuf buffer = both.directBuffer(100);
      buffer.internalNioBuffer(0, 100).limit(101).put(100, (byte) 1);
      assertThat(both.metric().liveProfile().sites()).hasSize(1);
      buffer.release();
      assertThat(log.records()).as("the overrun").hasSize(1);
      assertThat(both.metric().liveProfile().sites()).isEmpty();
      for (Throwable error :
          List.of(
              catchThrowable(buffer::release),
              catchThrowable(() -> buffer.setByte(0, 1)),
              catchThrowable(() -> buffer.readBytes(1)))) {
        assertThat(error).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(error.getCause()).hasMessageContaining("released with a capacity of 100");
        assertThat(error.getCause().getCause()).hasMessageContaining("allocated with a capacity");
      }
      ByteBuf grown = both.heapBuffer(100).setByte(99, 7).capacity(50_000);
      assertThat(grown.getByte(99)).isEqualTo((byte) 7);
      assertThat(grown.getByte(100)).isEqualTo((byte) 0xDB);
      grown.release();
      assertThat(both.metric().liveProfile().sites()).isEmpty();
    }
  }

  @Test
  void bytesAreErasedAsWithoutSampling() {
    try (MiMallocByteBufAllocator both =
        MiMallocByteBufAllocator.builder().sampleLive(1).zeroOnRelease(true).build()) {
      ByteBuf secret = both.heapBuffer(100).writeZero(100).setByte(50, 42);
      byte[] array = secret.array();
      int index = secret.arrayOffset() + 50;
      assertThat(array[index]).isEqualTo((byte) 42);
      secret.release();
      assertThat(array[index]).isZero();
      assertThat(both.metric().liveProfile().sites()).isEmpty();
    }
  }

  @Test
  void aCallByReflectionIsFollowedToItsCaller() throws Exception {
    ByteBuf buffer =
        (ByteBuf)
            MiMallocByteBufAllocator.class
                .getMethod("directBuffer", int.class)
                .invoke(allocator, 100);
    assertThat(onlySite().place()).startsWith(HERE + ".aCallByReflectionIsFollowedToItsCaller(");
    buffer.release();
  }

  @Test
  void withoutTheOptionThereIsNoProfile() {
    try (MiMallocByteBufAllocator plain =
            MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
        MiMallocByteBufAllocator debug = MiMallocByteBufAllocator.builder().debug(true).build()) {
      for (MiMallocByteBufAllocator each : List.of(plain, debug)) {
        ByteBuf buffer = each.directBuffer(1000);
        assertThat(each.metric().liveProfile().isOn()).isFalse();
        assertThat(each.metric().liveProfile().sites()).isEmpty();
        assertThat(each.dumpStats()).doesNotContain("allocation site");
        assertThat(each.dumpStatsAsJson()).doesNotContain("profile");
        assertThat(each.dumpLiveProfile()).contains("sampleLive");
        buffer.release();
      }
    }
  }

  @Test
  void aBadValueIsRefused() {
    assertThatThrownBy(() -> MiMallocByteBufAllocator.builder().sampleLive(-1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sampleLive: -1");
  }

  @Test
  void textAndJsonHaveThePlaces() {
    ByteBuf buffer = allocateHere(true, 100_000);
    LiveProfile.Site site = onlySite();
    assertThat(allocator.dumpStats())
        .contains("live buffers by allocation site, one sample per 1 bytes")
        .contains(site.place())
        .doesNotContain("    at ");
    assertThat(allocator.dumpLiveProfile())
        .contains(site.place())
        .contains("the oldest, by thread \"" + Thread.currentThread().getName() + '"')
        .contains("      at " + site.place() + System.lineSeparator() + "      at " + HERE);
    JsonObject json = sitesOf(allocator.dumpStatsAsJson()).get(0).getAsJsonObject();
    assertThat(json.get("place").getAsString()).isEqualTo(site.place());
    assertThat(json.get("direct").getAsBoolean()).isTrue();
    assertThat(json.get("bytes").getAsLong()).isEqualTo(site.bytes());
    assertThat(json.get("buffers").getAsLong()).isOne();
    assertThat(json.get("samples").getAsLong()).isOne();
    assertThat(json.get("oldestMillis").getAsLong()).isNotNegative();
    assertThat(json.getAsJsonArray("oldestTrace")).hasSameSizeAs(site.oldestTrace());
    assertThat(json.keySet())
        .containsExactlyElementsOf(
            Arrays.stream(LiveProfile.Site.class.getRecordComponents())
                .map(component -> component.getName())
                .toList());
    buffer.release();
    assertThat(sitesOf(allocator.dumpStatsAsJson())).isEmpty();
  }

  private static JsonArray sitesOf(String json) {
    return JsonParser.parseString(json)
        .getAsJsonObject()
        .getAsJsonObject("profile")
        .getAsJsonArray("sites");
  }

  @Test
  void aManagementClientSeesThePlaces() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName all = new ObjectName("io.github.mimalloc4j:memory=heap,*");
    try (MiMallocByteBufAllocator managed =
        MiMallocByteBufAllocator.builder().sampleLive(1).jmx(true).build()) {
      ByteBuf buffer = managed.heapBuffer(1000);
      ObjectName name = server.queryNames(all, null).iterator().next();
      assertThat(server.invoke(name, "dumpLiveProfile", null, null).toString())
          .contains("aManagementClientSeesThePlaces(LiveProfileTest.java:");
      assertThat(server.invoke(name, "dumpStats", null, null).toString())
          .contains("aManagementClientSeesThePlaces(LiveProfileTest.java:");
      assertThat(server.invoke(name, "dumpThreadHeaps", null, null).toString())
          .contains("heaps by thread, heap memory", "  shared");
      buffer.release();
    }
  }

  /** Sites of one kind, those with the most bytes first. */
  static List<LiveProfile.Site> sites(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> new LiveProfile.Site("site " + i, true, count - i, 1, 1, 0, "thread", List.of()))
        .toList();
  }

  /** There may be thousands. */
  @Test
  void aRecordingHasTheSitesWithTheMostBytes() {
    LiveProfile profile = new LiveProfile(1, sites(60));
    Set<String> recorded = ConcurrentHashMap.newKeySet();
    AtomicInteger periods = new AtomicInteger();
    Runnable end =
        PeriodicEvents.begin(
            getClass(), allocator.metric()::direct, allocator.metric()::heap, () -> profile);
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("io.github.mimalloc4j.LiveBuffers").withPeriod(Duration.ofMillis(50));
      stream.onEvent(
          "io.github.mimalloc4j.LiveBuffers",
          event -> {
            String place = event.getString("place");
            if (place.startsWith("site ")) {
              recorded.add(place);
            }
            if (place.equals("site 0")) {
              periods.incrementAndGet();
            }
          });
      stream.startAsync();
      await().until(() -> periods.get() > 2);
    } finally {
      end.run();
    }
    assertThat(recorded).hasSize(50).contains("site 0", "site 49");
  }

  @Test
  void aRecordingHasThePlacesAndTheThreadHeaps() {
    Map<Long, RecordedEvent> sites = new ConcurrentHashMap<>();
    Map<Long, RecordedEvent> heaps = new ConcurrentHashMap<>();
    try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 1);
        RecordingStream stream = new RecordingStream()) {
      String[] owner = new String[1];
      List<ByteBuf> live =
          new ArrayList<>(
              loops.call(
                  () -> {
                    owner[0] = Thread.currentThread().getName();
                    return List.of(allocateHere(true, 11_000), allocateHere(false, 13_000));
                  }));
      live.add(allocateHere(true, 23_000));
      live.add(allocateHere(false, 29_000));
      stream.setReuse(false);
      stream.enable("io.github.mimalloc4j.LiveBuffers").withPeriod(Duration.ofMillis(50));
      stream.enable("io.github.mimalloc4j.ThreadHeap").withPeriod(Duration.ofMillis(50));
      stream.onEvent(
          "io.github.mimalloc4j.LiveBuffers", // allocators of other tests sample, too
          event -> {
            if (event.getString("place").startsWith(HERE)) {
              sites.put(event.getLong("bytes"), event);
            }
          });
      stream.onEvent(
          "io.github.mimalloc4j.ThreadHeap",
          event -> {
            if (List.of(owner[0], "").contains(event.getString("owner"))) {
              heaps.put(event.getLong("liveBytes"), event);
            }
          });
      stream.startAsync();
      await()
          .until(
              () ->
                  sites.keySet().containsAll(List.of(live(true), live(false)))
                      && live.stream()
                          .allMatch(each -> heaps.containsKey((long) blockBytes(each))));
      for (LiveProfile.Site site : allocator.metric().liveProfile().sites()) {
        assertIsOf(sites.get(live(site.direct())), site, owner[0]);
      }
      for (boolean direct : new boolean[] {true, false}) {
        assertThat(memory(direct).byThreadHeap())
            .extracting(ThreadHeap::thread)
            .containsExactlyInAnyOrder(owner[0], "");
        for (ThreadHeap heap : memory(direct).byThreadHeap()) {
          assertIsOf(heaps.get(heap.liveBytes()), heap, direct);
        }
      }
      live.forEach(ByteBuf::release);
    }
  }

  private static void assertIsOf(RecordedEvent event, LiveProfile.Site site, String owner) {
    assertOfThisAllocator(event, site.direct());
    assertThat(event.getString("place")).isEqualTo(site.place());
    assertThat(event.getLong("bytes")).isEqualTo(site.bytes());
    assertThat(event.getLong("buffers")).isEqualTo(2);
    assertThat(event.getInt("samples")).isEqualTo(2);
    assertThat(event.getDuration("oldest")).isLessThan(Duration.ofMinutes(2));
    assertThat(event.getString("oldestThread")).isEqualTo(owner);
    assertThat(event.getString("oldestTrace").lines().findFirst()).contains(site.place());
  }

  private static void assertIsOf(RecordedEvent event, ThreadHeap heap, boolean direct) {
    assertOfThisAllocator(event, direct);
    assertThat(event.getString("state")).isEqualTo(heap.thread().isEmpty() ? "shared" : "owned");
    assertThat(event.getString("owner")).isEqualTo(heap.thread());
    assertThat(event.getLong("pageBytes")).isEqualTo(heap.pageBytes());
    assertThat(event.getLong("liveBytes")).isEqualTo(heap.liveBytes());
  }

  private static void assertOfThisAllocator(RecordedEvent event, boolean direct) {
    assertThat(event.getClass("allocatorType").getName())
        .isEqualTo(MiMallocByteBufAllocator.class.getName());
    assertThat(event.getBoolean("direct")).isEqualTo(direct);
  }

  @Test
  void whatIsClosedIsNotKept() {
    WeakReference<MiMallocByteBufAllocator> closed = useAndClose();
    Patience.awaitCleared(List.of(closed));
  }

  private static WeakReference<MiMallocByteBufAllocator> useAndClose() {
    MiMallocByteBufAllocator used = MiMallocByteBufAllocator.builder().sampleLive(1).build();
    used.directBuffer(100).release();
    used.close();
    return new WeakReference<>(used);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--limit-modules=java.base,java.logging,jdk.unsupported",
        "-Dio.netty.jfr.enabled=false"
      })
  void withoutFlightRecorderBuffersAreSampledNevertheless(String option) {
    String output =
        OtherJvm.run(
                NoRecorder.class,
                "-Dio.netty.allocator.mimalloc.sampleLive=1",
                option,
                "-Xlog:class+load=info")
            .assertSucceeded()
            .output();
    assertThat(output).doesNotContain("mimalloc4j.netty.jfr.");
  }

  static final class NoRecorder {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
      ByteBuf buffer = allocator.directBuffer(100);
      if (allocator.metric().liveProfile().sites().size() != 1) {
        throw new AssertionError("not sampled");
      }
      buffer.release();
      allocator.close();
    }
  }

  private long live(boolean direct) {
    return memory(direct).bytes().live();
  }

  private MemoryStatistics memory(boolean direct) {
    return direct ? allocator.metric().direct() : allocator.metric().heap();
  }

  private LiveProfile.Site onlySite() {
    List<LiveProfile.Site> sites = allocator.metric().liveProfile().sites();
    assertThat(sites).hasSize(1);
    return sites.get(0);
  }

  private void assertNoSample() {
    assertThat(allocator.metric().liveProfile().sites()).isEmpty();
  }
}
