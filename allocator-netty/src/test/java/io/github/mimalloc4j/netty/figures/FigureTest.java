package io.github.mimalloc4j.netty.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap.State;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import io.github.mimalloc4j.micrometer.MiMallocMetrics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.ReflectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The one list of figures: it is complete, and each output has all of it. */
class FigureTest {

  /** Attributes have no profile, which takes long. */
  private static final Supplier<Snapshot> NO_DUMP =
      () -> {
        throw new AssertionError("the profile is read");
      };

  /** Every number in it is another one, so that no figure passes for another. */
  private final AtomicInteger next = new AtomicInteger(1_000_001);

  private final Snapshot snapshot =
      new Snapshot(
          memory(),
          memory(),
          new ProcessStatistics(10_000_001, 10_000_002, 10_000_003, "on"),
          LiveProfile.OFF);

  @ParameterizedTest
  @EnumSource
  void theListHasEachComponentOfItsRecord(Figure.Group group) throws Exception {
    assertThat(group.figures().stream().map(Figure::camelCase).filter(n -> !n.equals("retained")))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(record(group, snapshot.direct()).getClass().getRecordComponents())
                .map(RecordComponent::getName)
                .toList());
  }

  /**
   * Size classes have a list of their own, {@link SizeClassFigure}; thread heaps are no figures.
   */
  @Test
  void theListHasEachGroup() {
    assertThat(MemoryStatistics.class.getRecordComponents())
        .extracting(RecordComponent::getName)
        .containsExactlyInAnyOrder("bytes", "threadHeaps", "counts", "sizeClasses", "byThreadHeap");
    assertThat(Figure.Group.values())
        .extracting(Figure::camelCase)
        .containsExactlyInAnyOrder("bytes", "threadHeaps", "counts");
    assertThat(MemoryStatistics.SizeClass.class.getRecordComponents())
        .extracting(RecordComponent::getName)
        .containsExactlyElementsOf(
            Arrays.stream(SizeClassFigure.values()).map(Figure::camelCase).toList());
  }

  @ParameterizedTest
  @EnumSource
  void everyOutputHasTheFigure(Figure figure) throws Exception {
    long direct = expected(figure, snapshot.direct());
    long heap = expected(figure, snapshot.heap());
    assertThat(StatisticsText.of(snapshot).lines().map(line -> line.strip().split(" {2,}")))
        .contains(new String[] {Figure.words(figure, ' '), number(direct), number(heap)});
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      long value = kind == Snapshot.Kind.DIRECT ? direct : heap;
      assertThat(
              JsonParser.parseString(StatisticsJson.of(snapshot))
                  .getAsJsonObject()
                  .getAsJsonObject(kind.toString())
                  .getAsJsonObject(Figure.camelCase(figure.group()))
                  .get(Figure.camelCase(figure))
                  .getAsLong())
          .isEqualTo(value);
      assertThat(new MemoryBean(kind, () -> snapshot, NO_DUMP).getAttribute(figure.attribute()))
          .isEqualTo(value);
      assertThat(meter(figure, kind).getDescription()).isNotBlank();
    }
  }

  @Test
  void theListOfTheProcessHasEachNumberOfItsRecord() {
    assertThat(ProcessFigure.values())
        .extracting(Figure::camelCase)
        .containsExactlyElementsOf(
            Arrays.stream(ProcessStatistics.class.getRecordComponents())
                .filter(component -> component.getType() == long.class)
                .map(RecordComponent::getName)
                .toList());
  }

  @ParameterizedTest
  @EnumSource
  void everyOutputHasTheFigureOfTheProcess(ProcessFigure figure) throws Exception {
    long value = 10_000_001 + figure.ordinal();
    assertThat(StatisticsText.of(snapshot).lines().map(line -> line.strip().split(" {2,}")))
        .contains(new String[] {Figure.words(figure, ' '), number(value)});
    assertThat(
            JsonParser.parseString(StatisticsJson.of(snapshot))
                .getAsJsonObject()
                .getAsJsonObject("process")
                .get(Figure.camelCase(figure))
                .getAsLong())
        .isEqualTo(value);
    assertThat(MemoryBean.ofProcess(() -> snapshot, NO_DUMP).getAttribute(figure.attribute()))
        .isEqualTo(value);
  }

  @Test
  void whatTheSystemDoesNotTellIsInNoOutput() {
    Snapshot unknown =
        new Snapshot(
            snapshot.direct(),
            snapshot.heap(),
            new ProcessStatistics(-1, 0, 0, "not possible"),
            LiveProfile.OFF);
    assertThat(StatisticsText.of(unknown))
        .doesNotContain("resident", "-1")
        .contains("native heap trims ", "native heap trimming: not possible");
    assertThat(StatisticsJson.of(unknown)).doesNotContain("resident", "-1");
    assertThat(MemoryBean.ofProcess(() -> unknown, NO_DUMP).getMBeanInfo().getAttributes())
        .extracting(MBeanAttributeInfo::getName)
        .containsExactly("NativeHeapTrims", "NativeHeapTrimmedBytes");
  }

  @Test
  void sitesAreRowsOfTheirNumbers() {
    StackTraceElement frame = new StackTraceElement("a.B", "c", "B.java", 7);
    LiveProfile profile =
        new LiveProfile(
            1000,
            List.of(
                new LiveProfile.Site("one", false, 40_000, 30, 2, 5_999, "t", List.of(frame)),
                new LiveProfile.Site("two", true, 3_000, 20, 1, 6_000, "u", List.of())));
    assertThat(cells(HoldersText.of(profile)))
        .contains(
            List.of("bytes", "buffers", "samples", "oldest s", "memory", "site"),
            List.of("40,000", "30", "2", "5", "heap", "one"),
            List.of("3,000", "20", "1", "6", "direct", "two"));
    Snapshot profiled =
        new Snapshot(snapshot.direct(), snapshot.heap(), snapshot.process(), profile);
    assertThat(
            JsonParser.parseString(StatisticsJson.of(profiled))
                .getAsJsonObject()
                .get("profile")
                .toString())
        .isEqualTo(
            "{\"sampleBytes\":1000,\"sites\":["
                + "{\"place\":\"one\",\"direct\":false,\"bytes\":40000,\"buffers\":30,"
                + "\"samples\":2,\"oldestMillis\":5999,\"oldestThread\":\"t\","
                + "\"oldestTrace\":[\"a.B.c(B.java:7)\"]},"
                + "{\"place\":\"two\",\"direct\":true,\"bytes\":3000,\"buffers\":20,"
                + "\"samples\":1,\"oldestMillis\":6000,\"oldestThread\":\"u\","
                + "\"oldestTrace\":[]}]}");
  }

  @Test
  void threadHeapsAreRowsOfTheirNumbers() {
    Snapshot busy =
        new Snapshot(
            withHeaps(12, "direct-"), withHeaps(11, "heap-"), snapshot.process(), LiveProfile.OFF);
    assertThat(cells(HoldersText.ofThreadHeaps(busy)))
        .hasSize(2 * 2 + 12 + 11)
        .contains(
            List.of("pages", "live", "state", "thread"),
            List.of("2,011", "1,011", "owned", "direct-11"),
            List.of("2,010", "1,010", "owned", "heap-10"));
    assertThat(StatisticsText.of(busy))
        .contains("direct-9", "heap-9", "... and 2 more", "... and 1 more")
        .doesNotContain("direct-10", "heap-10");
  }

  private MemoryStatistics withHeaps(int count, String thread) {
    return new MemoryStatistics(
        snapshot.direct().bytes(),
        snapshot.direct().threadHeaps(),
        snapshot.direct().counts(),
        List.of(),
        IntStream.range(0, count)
            .mapToObj(i -> new ThreadHeap(State.OWNED, thread + i, 2000 + i, 1000 + i))
            .toList());
  }

  private static List<List<String>> cells(String text) {
    return text.lines().map(line -> List.of(line.strip().split(" {2,}"))).toList();
  }

  /** There may be thousands. */
  @Test
  void theSitesWithTheMostBytesAreInTheOutputs() {
    LiveProfile profile = new LiveProfile(1, LiveProfileTest.sites(60));
    Snapshot many = new Snapshot(snapshot.direct(), snapshot.heap(), snapshot.process(), profile);
    JsonArray sites =
        JsonParser.parseString(StatisticsJson.of(many))
            .getAsJsonObject()
            .getAsJsonObject("profile")
            .getAsJsonArray("sites");
    assertThat(sites).hasSize(50);
    assertThat(sites.get(0).getAsJsonObject().get("place").getAsString()).isEqualTo("site 0");
    assertThat(sites.get(49).getAsJsonObject().get("place").getAsString()).isEqualTo("site 49");
    assertThat(StatisticsText.of(many))
        .contains("site 9\n", "... and 50 more")
        .doesNotContain("site 10");
    assertThat(HoldersText.of(profile)).contains("site 59\n").doesNotContain(" more");
  }

  /** Its value is looked at in {@code MiMallocMetricsTest}. */
  private static Meter.Id meter(Figure figure, Snapshot.Kind kind) {
    MeterRegistry registry = new SimpleMeterRegistry();
    new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT).bindTo(registry);
    Tags tags = Tags.of("memory.type", kind.toString());
    return registry
        .get(figure.meter())
        .tags(
            figure.group() == Figure.Group.THREAD_HEAPS
                ? tags.and("state", Figure.camelCase(figure))
                : tags)
        .meter()
        .getId();
  }

  @Test
  void attributesThatAreReadTogetherAreOfOneSnapshot() {
    AtomicInteger taken = new AtomicInteger();
    MemoryBean bean =
        new MemoryBean(
            Snapshot.Kind.HEAP,
            () -> {
              taken.incrementAndGet();
              return snapshot;
            },
            NO_DUMP);
    MBeanAttributeInfo[] attributes = bean.getMBeanInfo().getAttributes();
    assertThat(attributes)
        .allSatisfy(attribute -> assertThat(attribute.getDescription()).isNotBlank())
        .extracting(MBeanAttributeInfo::getName)
        .doesNotHaveDuplicates()
        .hasSameSizeAs(Figure.values());
    String[] names =
        Stream.concat(
                Stream.of("Unknown"), Arrays.stream(attributes).map(MBeanAttributeInfo::getName))
            .toArray(String[]::new);
    assertThat(bean.getAttributes(names).asList())
        .containsExactlyElementsOf(
            Arrays.stream(Figure.values())
                .map(figure -> new Attribute(figure.attribute(), figure.of(snapshot.heap())))
                .toList());
    assertThat(taken).hasValue(1);
  }

  @Test
  void aBeanShowsTheOperationsThatItHas() throws Exception {
    MemoryBean bean = new MemoryBean(Snapshot.Kind.DIRECT, () -> snapshot, () -> snapshot);
    List<String> names =
        Arrays.stream(bean.getMBeanInfo().getOperations())
            .map(MBeanOperationInfo::getName)
            .toList();
    List<Object> results = new ArrayList<>();
    for (String name : names) {
      results.add(bean.invoke(name, null, null));
    }
    assertThat(names)
        .containsExactly("dumpStats", "dumpStatsAsJson", "dumpThreadHeaps", "dumpLiveProfile");
    assertThat(results)
        .containsExactly(
            StatisticsText.of(snapshot),
            StatisticsJson.of(snapshot),
            HoldersText.ofThreadHeaps(snapshot),
            HoldersText.of(snapshot.profile()))
        .doesNotHaveDuplicates();
  }

  @Test
  void aBeanHasNothingElse() {
    MemoryBean bean = new MemoryBean(Snapshot.Kind.DIRECT, () -> snapshot, NO_DUMP);
    assertThatThrownBy(() -> bean.getAttribute("Unknown"))
        .isInstanceOf(AttributeNotFoundException.class);
    assertThatThrownBy(() -> bean.setAttribute(new Attribute("UsedBytes", 1L)))
        .isInstanceOf(AttributeNotFoundException.class);
    assertThatThrownBy(() -> bean.invoke("unknown", null, null))
        .isInstanceOf(ReflectionException.class);
  }

  @Test
  void theDocumentationsTableIsTheList() throws IOException {
    List<String> documented =
        Files.readAllLines(Path.of("../docs/observability.md")).stream()
            .dropWhile(line -> !line.startsWith("| figure | JMX attribute |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    assertThat(documented)
        .containsExactlyElementsOf(
            Stream.concat(
                    Arrays.stream(Figure.values()).map(FigureTest::documentation),
                    Arrays.stream(ProcessFigure.values()).map(FigureTest::documentation))
                .toList());
  }

  private static String documentation(Figure figure) {
    String tag =
        figure.group() == Figure.Group.THREAD_HEAPS
            ? ", `state=" + Figure.camelCase(figure) + '`'
            : "";
    return String.format(
        "| `%s.%s` | `%s` | `%s`%s | %s |",
        Figure.camelCase(figure.group()),
        Figure.camelCase(figure),
        figure.attribute(),
        figure.meter(),
        tag,
        figure.description());
  }

  private static String documentation(ProcessFigure figure) {
    return String.format(
        "| `process.%s` | `%s` | `%s` | %s |",
        Figure.camelCase(figure), figure.attribute(), figure.meter(), figure.description());
  }

  private MemoryStatistics memory() {
    return new MemoryStatistics(
        filled(MemoryStatistics.Bytes.class),
        filled(MemoryStatistics.ThreadHeaps.class),
        filled(MemoryStatistics.Counts.class),
        List.of(filled(MemoryStatistics.SizeClass.class), filled(MemoryStatistics.SizeClass.class)),
        List.of());
  }

  /** A record of different numbers. */
  private <R extends Record> R filled(Class<R> type) {
    try {
      Class<?>[] types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      Object[] values =
          Arrays.stream(types)
              .map(
                  t ->
                      t == int.class
                          ? (Object) next.getAndIncrement()
                          : (long) next.getAndIncrement())
              .toArray();
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** By name, not by the list's functions. */
  private static long expected(Figure figure, MemoryStatistics memory) throws Exception {
    Object record = record(figure.group(), memory);
    return ((Number) record.getClass().getMethod(Figure.camelCase(figure)).invoke(record))
        .longValue();
  }

  private static Object record(Figure.Group group, MemoryStatistics memory) throws Exception {
    return MemoryStatistics.class.getMethod(Figure.camelCase(group)).invoke(memory);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
