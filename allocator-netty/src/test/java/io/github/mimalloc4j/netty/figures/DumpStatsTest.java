package io.github.mimalloc4j.netty.figures;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is dumped is what the metric tells: all of it, and in a form that can be read. */
@ExtendWith(LeakDetectionOff.class)
@Tag("same-without-unsafe")
class DumpStatsTest {

  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
  private final List<ByteBuf> live = new ArrayList<>();

  @BeforeEach
  void allocateOfEachKind() {
    for (int size : new int[] {100, 100, 5000, 1 << 20, 9 << 20}) {
      live.add(allocator.directBuffer(size));
      live.add(allocator.directBuffer(size));
      live.add(allocator.heapBuffer(size));
    }
    live.remove(0).release();
    live.remove(0).release();
  }

  @AfterEach
  void release() {
    live.forEach(ByteBuf::release);
  }

  @Test
  void jsonHasEachFigureUnderItsName() throws Exception {
    JsonObject json = JsonParser.parseString(allocator.dumpStatsAsJson()).getAsJsonObject();
    assertThat(json.keySet()).containsExactly("direct", "heap", "process");
    assertSame(json.get("direct"), allocator.metric().direct());
    assertSame(json.get("heap"), allocator.metric().heap());
    assertThat(json.getAsJsonObject("process").get("nativeHeapTrimming").getAsString())
        .isEqualTo(allocator.metric().process().nativeHeapTrimming());
    JsonObject bytes = json.getAsJsonObject("direct").getAsJsonObject("bytes");
    assertThat(bytes.get("retained").getAsLong())
        .isEqualTo(allocator.metric().direct().bytes().retained());
    assertThat(json.getAsJsonObject("direct").getAsJsonArray("sizeClasses")).hasSize(2);
  }

  private static void assertSame(JsonElement json, Object figure) throws Exception {
    if (figure instanceof Record record) {
      Set<String> names = new TreeSet<>();
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        names.add(component.getName());
        assertThat(json.getAsJsonObject().keySet()).contains(component.getName());
        assertSame(
            json.getAsJsonObject().get(component.getName()),
            component.getAccessor().invoke(record));
      }
      names.add("retained"); // of bytes alone, and no component
      assertThat(names).containsAll(json.getAsJsonObject().keySet());
    } else if (figure instanceof List<?> list) {
      JsonArray array = json.getAsJsonArray();
      assertThat(array).hasSameSizeAs(list);
      for (int i = 0; i < list.size(); i++) {
        assertSame(array.get(i), list.get(i));
      }
    } else {
      assertThat(json.getAsString()).isEqualTo(figure.toString());
    }
  }

  @Test
  void textHasTheFiguresOfBothKindsSideBySide() {
    MemoryStatistics direct = allocator.metric().direct();
    MemoryStatistics heap = allocator.metric().heap();
    List<List<String>> rows = rows();
    assertThat(rows)
        .contains(
            row("used", direct.bytes().used(), heap.bytes().used()),
            row("live", direct.bytes().live(), heap.bytes().live()),
            row("large", direct.bytes().large(), heap.bytes().large()),
            row("huge", direct.bytes().huge(), heap.bytes().huge()),
            row("retained", direct.bytes().retained(), heap.bytes().retained()),
            row("cached", direct.bytes().cached(), heap.bytes().cached()),
            row("free", direct.bytes().free(), heap.bytes().free()),
            row("shared", 1, 1),
            row("allocations", 10, 5),
            row("large allocations", 2, 1),
            row("huge allocations", 2, 1),
            row("segments obtained", segments(direct), segments(heap)));
  }

  private static long segments(MemoryStatistics memory) {
    return memory.counts().segmentsObtained();
  }

  @Test
  void textHasARowForEachSizeClassInUse() {
    List<List<String>> rows = rows();
    for (MemoryStatistics memory :
        List.of(allocator.metric().direct(), allocator.metric().heap())) {
      for (MemoryStatistics.SizeClass sizeClass : memory.sizeClasses()) {
        assertThat(rows)
            .contains(
                List.of(
                    number(sizeClass.blockBytes()),
                    number(sizeClass.pages()),
                    number(sizeClass.pageBytes()),
                    number(sizeClass.liveBlocks()),
                    number(sizeClass.freeBlocks())));
      }
    }
    assertThat(rows.stream().filter(row -> row.size() == 5 && row.get(0).matches("[\\d,]+")))
        .hasSize(4);
  }

  @Test
  void textIsAlignedAndFitsOnAPage() {
    String[] lines = allocator.dumpStats().split("\\R", -1);
    for (int i = 1; i < lines.length; i++) {
      if (lines[i].matches(".*  +[\\d,]+") && !lines[i - 1].startsWith("size classes")) {
        assertThat(lines[i]).as("below %s", lines[i - 1]).hasSameSizeAs(lines[i - 1]);
      }
    }
    assertThat(lines)
        .hasSizeLessThan(60)
        .filteredOn(line -> !line.startsWith("native heap trimming: not possible"))
        .allMatch(line -> line.length() <= 80);
  }

  @Test
  void textIsTheSameInEveryLanguage() {
    Locale before = Locale.getDefault();
    String text = withoutProcess(allocator.dumpStats());
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(withoutProcess(allocator.dumpStats())).isEqualTo(text);
    } finally {
      Locale.setDefault(before);
    }
  }

  /** Their digits stand for themselves; the numbers may change at any time. */
  private static String withoutProcess(String text) {
    return text.replaceAll("(resident|native heap trim(s|med)) +[0-9,]+", "");
  }

  @Test
  void whetherTheNativeHeapIsTrimmedIsTold() {
    assertThat(allocator.dumpStats())
        .containsAnyOf("native heap trimming: on", "native heap trimming: not possible");
    assertThat(MiMallocByteBufAllocator.builder().trimNativeHeap(false).build().dumpStats())
        .contains("native heap trimming: off");
  }

  @Test
  void anAllocatorWithoutMemoryHasNoSizeClasses() {
    MiMallocByteBufAllocator unused = MiMallocByteBufAllocator.builder().build();
    assertThat(unused.dumpStats()).contains("allocations").doesNotContain("size classes");
    assertThat(unused.dumpStatsAsJson()).contains("\"sizeClasses\":[]");
  }

  /** The lines, cut where two blanks or more are. */
  private List<List<String>> rows() {
    return allocator.dumpStats().lines().map(line -> List.of(line.strip().split(" {2,}"))).toList();
  }

  private static List<String> row(String name, long direct, long heap) {
    return List.of(name, number(direct), number(heap));
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
