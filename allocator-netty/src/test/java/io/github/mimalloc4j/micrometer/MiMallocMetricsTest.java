package io.github.mimalloc4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.figures.Figure;
import io.github.mimalloc4j.netty.figures.ProcessFigure;
import io.github.mimalloc4j.netty.figures.Snapshot;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.system.ResidentMemory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.lang.ref.WeakReference;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a real registry reads, of buffers in use and of those that were. */
@Tag("same-without-unsafe")
class MiMallocMetricsTest {

  /** What is not exported: rows for each size class or thread heap, whose number is not fixed. */
  private static final List<String> LEFT_OUT = List.of("sizeClasses", "byThreadHeap");

  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
  private final MockClock clock = new MockClock();
  private final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final AtomicInteger snapshots = new AtomicInteger();
  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder().trimDelayMillis(0).maxHeapMemory(32 << 20).build();
  private final List<ByteBuf> live = new ArrayList<>();

  @BeforeEach
  void detectNoLeaks() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterEach
  void end() {
    live.forEach(ByteBuf::release);
    ResourceLeakDetector.setLevel(level);
    registry.close();
  }

  @Test
  void everyFigureIsExportedWithItsValue() throws Exception {
    ProcessStatistics before = allocator.metric().process();
    new MiMallocMetrics(allocator).bindTo(registry);
    useOfEverything();
    assertThat(components(MemoryStatistics.class))
        .containsExactlyInAnyOrder(
            "bytes", "threadHeaps", "counts", LEFT_OUT.get(0), LEFT_OUT.get(1));
    for (String type : List.of("direct", "heap")) {
      MemoryStatistics now =
          type.equals("direct") ? allocator.metric().direct() : allocator.metric().heap();
      for (RecordComponent component : MemoryStatistics.Bytes.class.getRecordComponents()) {
        assertThat(bytes(component.getName(), type)).isEqualTo(value(component, now.bytes()));
      }
      assertThat(bytes("retained", type)).isEqualTo(now.bytes().retained()).isPositive();
      for (RecordComponent component : MemoryStatistics.ThreadHeaps.class.getRecordComponents()) {
        Tags tags = Tags.of("memory.type", type, "state", component.getName());
        Gauge gauge = registry.get("mimalloc4j.thread.heaps").tags(tags).gauge();
        assertThat(gauge.value()).isEqualTo(value(component, now.threadHeaps()));
      }
      for (RecordComponent component : MemoryStatistics.Counts.class.getRecordComponents()) {
        FunctionCounter counter =
            registry
                .get("mimalloc4j." + dotted(component.getName()))
                .tag("memory.type", type)
                .functionCounter();
        assertThat(counter.count()).isEqualTo(value(component, now.counts()));
      }
    }
    double trims = registry.get("mimalloc4j.native.heap.trims").functionCounter().count();
    double trimmed = registry.get("mimalloc4j.native.heap.trimmed").functionCounter().count();
    ProcessStatistics after = allocator.metric().process(); // what other tests have left is trimmed
    assertThat(trims)
        .isBetween((double) before.nativeHeapTrims(), (double) after.nativeHeapTrims());
    assertThat(trimmed)
        .isBetween((double) before.nativeHeapTrimmed(), (double) after.nativeHeapTrimmed());
    List<ProcessFigure> ofProcess = ProcessFigure.known(after);
    assertThat(registry.getMeters())
        .as("and nothing else")
        .hasSize(2 * Figure.values().length + ofProcess.size());
    if (ofProcess.contains(ProcessFigure.RESIDENT)) {
      assertThat(registry.get("mimalloc4j.process.resident").gauge().value())
          .isBetween(16.0 * (1 << 20), 64.0 * (1 << 30));
    }
  }

  @Test
  void residentMemoryThatCannotBeReadHasNoValue() {
    assumeTrue(ResidentMemory.bytes() != ProcessStatistics.UNKNOWN, "resident memory is unknown");
    ProcessStatistics unread = new ProcessStatistics(ProcessStatistics.UNKNOWN, 1, 2, "on");
    new MiMallocMetrics(
            allocator,
            Tags.empty(),
            metric -> new Snapshot(metric.direct(), metric.heap(), unread, LiveProfile.OFF))
        .bindTo(registry);
    assertThat(registry.get("mimalloc4j.process.resident").gauge().value()).isNaN();
    assertThat(registry.get("mimalloc4j.native.heap.trims").functionCounter().count()).isOne();
  }

  /** So that a meter with the figure of another one has a wrong value. */
  private void useOfEverything() throws Exception {
    for (int round = 0; round < 3; round++) { // on threads that end, with live buffers
      DefaultEventExecutor executor = new DefaultEventExecutor();
      executor
          .submit(
              () -> {
                for (int i = 0; i < 40; i++) {
                  live.add(allocator.heapBuffer(1000));
                  live.add(allocator.directBuffer(70_000));
                }
              })
          .get();
      executor.shutdownGracefully(0, 1, TimeUnit.SECONDS).get();
    }
    live.subList(30, 60).forEach(ByteBuf::release);
    live.subList(30, 60).clear();
    for (int i = 0; i < 6; i++) {
      live.add(allocator.heapBuffer(200_000));
    }
    live.add(allocator.heapBuffer(9 << 20));
    for (int i = 0; i < 3; i++) {
      allocator.heapBuffer(10 << 20).release();
    }
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> allocator.heapBuffer(32 << 20)).isInstanceOf(OutOfMemoryError.class);
    }
    MemoryStatistics.Counts counts = allocator.metric().heap().counts();
    assertThat(counts.outOfMemoryRetries()).isEqualTo(5);
    assertThat(counts.adoptions()).isEqualTo(2);
    assertThat(
            List.of(
                counts.allocations(),
                counts.largeAllocations(),
                counts.hugeAllocations(),
                counts.deferredReleases(),
                counts.adoptions(),
                counts.segmentsObtained(),
                counts.segmentsPurged(),
                counts.outOfMemoryRetries()))
        .doesNotHaveDuplicates()
        .doesNotContain(0L);
  }

  private double bytes(String name, String type) {
    Gauge gauge = registry.get("mimalloc4j.memory." + name).tag("memory.type", type).gauge();
    assertThat(gauge.getId().getBaseUnit()).isEqualTo("bytes");
    return gauge.value();
  }

  private static double value(RecordComponent component, Object statistics) throws Exception {
    return ((Number) component.getAccessor().invoke(statistics)).doubleValue();
  }

  private static Stream<String> components(Class<?> type) {
    return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName);
  }

  /** Micrometer's naming convention. */
  private static String dotted(String camelCase) {
    return camelCase.replaceAll("([A-Z])", ".$1").toLowerCase(Locale.ROOT);
  }

  @Test
  void metersFollowTheirAllocatorUp() {
    new MiMallocMetrics(allocator).bindTo(registry);
    assertThat(bytes("live", "direct")).isZero();
    live.add(allocator.directBuffer(1 << 20));
    assertThat(bytes("live", "direct")).isEqualTo(1 << 20);
    assertThat(bytes("live", "heap")).isZero();
    live.remove(0).release();
    assertThat(bytes("live", "direct")).isZero();
    assertThat(bytes("used", "direct")).isEqualTo(allocator.metric().usedDirectMemory());
  }

  @Test
  void twoAllocatorsAreToldApartByTheirTags() {
    MiMallocByteBufAllocator other = MiMallocByteBufAllocator.builder().build();
    new MiMallocMetrics(allocator, Tags.of("of", "server")).bindTo(registry);
    new MiMallocMetrics(other, Tags.of("of", "client")).bindTo(registry);
    live.add(allocator.directBuffer(1 << 20));
    live.add(other.directBuffer(2 << 20));
    for (String of : List.of("server", "client")) {
      assertThat(
              registry
                  .get("mimalloc4j.memory.live")
                  .tags("of", of, "memory.type", "direct")
                  .gauge()
                  .value())
          .isEqualTo(of.equals("server") ? 1 << 20 : 2 << 20);
    }
    assertThat(registry.getMeters())
        .as("each has its own meters, also of the process")
        .allMatch(meter -> meter.getId().getTag("of") != null);
  }

  /** Prometheus derives the names of time series from names, base units and types. */
  @Test
  void theDashboardShowsMetersThatExist() throws Exception {
    assumeTrue(ResidentMemory.bytes() != ProcessStatistics.UNKNOWN, "it shows resident memory");
    new MiMallocMetrics(allocator).bindTo(registry);
    Set<String> exported =
        registry.getMeters().stream()
            .map(Meter::getId)
            .map(MiMallocMetricsTest::timeSeries)
            .collect(Collectors.toSet());
    String dashboard = Files.readString(Path.of("../examples/grafana-dashboard.json"));
    assertThat(
            Pattern.compile("mimalloc4j_\\w+")
                .matcher(dashboard)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet()))
        .hasSizeGreaterThan(10)
        .isSubsetOf(exported);
    assertThat(exported)
        .contains(
            "mimalloc4j_native_heap_trims_total", "mimalloc4j_native_heap_trimmed_bytes_total");
  }

  private static String timeSeries(Meter.Id id) {
    return id.getName().replace('.', '_')
        + (id.getBaseUnit() == null ? "" : "_" + id.getBaseUnit())
        + (id.getType() == Meter.Type.COUNTER ? "_total" : "");
  }

  @Test
  void theRegistryDoesNotKeepTheAllocator() {
    WeakReference<MiMallocByteBufAllocator> unused = bindAnotherAndForgetIt();
    Patience.awaitCleared(List.of(unused));
    assertThat(bytes("used", "direct")).isNaN();
    assertThat(counter("allocations").count()).isOne();
  }

  private WeakReference<MiMallocByteBufAllocator> bindAnotherAndForgetIt() {
    MiMallocByteBufAllocator other = MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
    new MiMallocMetrics(other).bindTo(registry);
    other.directBuffer(100).release();
    assertThat(counter("allocations").count()).isOne();
    other.close();
    return new WeakReference<>(other);
  }

  private FunctionCounter counter(String name) {
    return registry.get("mimalloc4j." + name).tag("memory.type", "direct").functionCounter();
  }

  /** What Micrometer brings for Netty's allocators. */
  @Test
  void micrometersOwnBinderReadsTheSame() {
    new NettyAllocatorMetrics(allocator).bindTo(registry);
    live.add(allocator.directBuffer(1 << 20));
    live.add(allocator.heapBuffer(100));
    assertThat(nettys("direct"))
        .isEqualTo(allocator.metric().usedDirectMemory())
        .isGreaterThanOrEqualTo(1 << 20);
    assertThat(nettys("heap")).isEqualTo(allocator.metric().usedHeapMemory()).isPositive();
  }

  private double nettys(String type) {
    return registry
        .get("netty.allocator.memory.used")
        .tags("memory.type", type, "allocator.type", "MiMallocByteBufAllocator")
        .gauge()
        .value();
  }

  @Test
  void aScrapeTakesOneSnapshot() {
    bindCounted();
    assertThat(snapshots).hasValue(0);
    List<Double> atRest = scrape(meter -> {});
    assertThat(snapshots).hasValue(1);
    // What happens between two meters shows in the next scrape, and there in all of them.
    assertThat(scrape(meter -> live.add(allocator.directBuffer(100)))).isEqualTo(atRest);
    assertThat(snapshots).hasValue(2);
    assertThat(scrape(meter -> {})).isNotEqualTo(atRest);
    assertThat(counter("allocations").count()).isEqualTo(registry.getMeters().size());
  }

  @Test
  void aMeterThatIsReadAgainIsReadAnew() {
    bindCounted();
    for (int reading = 1; reading <= 3; reading++) {
      live.add(allocator.directBuffer(100));
      assertThat(counter("allocations").count()).isEqualTo(reading);
      assertThat(snapshots).hasValue(reading);
    }
  }

  @Test
  void noMeterReadsASnapshotThatIsOld() {
    bindCounted();
    assertThat(bytes("live", "direct")).isZero();
    live.add(allocator.directBuffer(1 << 20));
    clock.add(999, TimeUnit.MILLISECONDS);
    assertThat(bytes("large", "direct")).isZero();
    clock.add(1, TimeUnit.MILLISECONDS);
    assertThat(bytes("huge", "direct")).isZero();
    assertThat(bytes("large", "direct")).isEqualTo(1 << 20);
    assertThat(snapshots).hasValue(2);
  }

  private void bindCounted() {
    new MiMallocMetrics(
            allocator,
            Tags.empty(),
            metric -> {
              snapshots.incrementAndGet();
              ProcessStatistics process = new ProcessStatistics(1, 2, 3, "on"); // stays the same
              return new Snapshot(metric.direct(), metric.heap(), process, LiveProfile.OFF);
            })
        .bindTo(registry);
  }

  /** Reads each meter once, as a registry does when it is scraped. */
  private List<Double> scrape(Consumer<Meter> afterEach) {
    List<Double> values = new ArrayList<>();
    for (Meter meter : registry.getMeters()) {
      meter.measure().forEach(measurement -> values.add(measurement.getValue()));
      afterEach.accept(meter);
    }
    return values;
  }
}
