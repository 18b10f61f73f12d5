package io.github.mimalloc4j.netty.figures;

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
 * integers, except for names of threads.
 */
public final class StatisticsJson {

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
    return object(members.keySet(), name -> name, members::get);
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
