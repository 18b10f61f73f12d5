package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An allocator's figures as JSON in ASCII. Names are those of the records' components. Values are
 * integers, except for names of threads and places in the code.
 */
public final class StatisticsJson {

  /** The most sites, those with the most bytes. */
  private static final int MOST_SITES = 50;

  private StatisticsJson() {}

  public static String of(Snapshot snapshot) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      members.put(kind.toString(), memory(snapshot.of(kind)));
    }
    members.put(
        "process",
        object(
            ProcessFigure.known(snapshot.process()),
            Figure::camelCase,
            figure -> figure.of(snapshot.process())));
    if (snapshot.profile().isOn()) {
      members.put("profile", profile(snapshot.profile()));
    }
    return object(members.keySet(), name -> name, members::get);
  }

  private static String profile(LiveProfile profile) {
    StringBuilder sites = new StringBuilder("[");
    for (LiveProfile.Site site :
        profile.sites().subList(0, Math.min(MOST_SITES, profile.sites().size()))) {
      sites.append(sites.length() == 1 ? "" : ",").append(site(site));
    }
    return "{\"sampleBytes\":" + profile.sampleBytes() + ",\"sites\":" + sites + "]}";
  }

  private static String site(LiveProfile.Site site) {
    StringBuilder trace = new StringBuilder("[");
    for (StackTraceElement frame : site.oldestTrace()) {
      trace.append(trace.length() == 1 ? "" : ",").append(quoted(LiveProfile.Site.text(frame)));
    }
    return "{\"place\":"
        + quoted(site.place())
        + ",\"direct\":"
        + site.direct()
        + ",\"bytes\":"
        + site.bytes()
        + ",\"buffers\":"
        + site.buffers()
        + ",\"samples\":"
        + site.samples()
        + ",\"oldestMillis\":"
        + site.oldestMillis()
        + ",\"oldestThread\":"
        + quoted(site.oldestThread())
        + ",\"oldestTrace\":"
        + trace
        + "]}";
  }

  private static String memory(MemoryStatistics memory) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (Figure.Group group : Figure.Group.values()) {
      members.put(
          Figure.camelCase(group),
          object(group.figures(), Figure::camelCase, figure -> figure.of(memory)));
    }
    members.put(
        "sizeClasses",
        memory.sizeClasses().stream()
            .map(StatisticsJson::sizeClass)
            .collect(Collectors.joining(",", "[", "]")));
    members.put(
        "byThreadHeap",
        memory.byThreadHeap().stream()
            .map(StatisticsJson::threadHeap)
            .collect(Collectors.joining(",", "[", "]")));
    return object(members.keySet(), name -> name, members::get);
  }

  private static String sizeClass(SizeClass sizeClass) {
    return object(
        List.of(SizeClassFigure.values()), Figure::camelCase, figure -> figure.of(sizeClass));
  }

  private static String threadHeap(ThreadHeap heap) {
    return "{\"state\":"
        + quoted(heap.state().toString())
        + ",\"thread\":"
        + quoted(heap.thread())
        + ",\"pageBytes\":"
        + heap.pageBytes()
        + ",\"liveBytes\":"
        + heap.liveBytes()
        + '}';
  }

  /** Returns a string of JSON in ASCII. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private static <T> String object(
      Collection<T> members, Function<T, String> name, Function<T, ?> value) {
    return members.stream()
        .map(member -> '"' + name.apply(member) + "\":" + value.apply(member))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
