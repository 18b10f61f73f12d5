package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An allocator's figures as JSON. Names are those of the records' components. All values are
 * integers, so nothing needs escaping.
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
    return object(members.keySet(), name -> name, members::get);
  }

  private static String sizeClass(SizeClass sizeClass) {
    return object(
        List.of(SizeClassFigure.values()), Figure::camelCase, figure -> figure.of(sizeClass));
  }

  private static <T> String object(
      Collection<T> members, Function<T, String> name, Function<T, ?> value) {
    return members.stream()
        .map(member -> '"' + name.apply(member) + "\":" + value.apply(member))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
