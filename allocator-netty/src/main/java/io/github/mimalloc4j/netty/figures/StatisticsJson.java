package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An allocator's figures as JSON in ASCII. Names are those of the records' components. Values are
 * integers, except for names, places in the code, why the native heap is not trimmed, and whether a
 * site's buffers are direct.
 */
public final class StatisticsJson {

  /** The maximum number of sites: those with the most bytes. */
  private static final int MOST_SITES = 50;

  private StatisticsJson() {}

  public static String of(Snapshot snapshot) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      members.put(kind.toString(), memory(snapshot.of(kind)));
    }
    members.put("process", process(snapshot.process()));
    if (snapshot.profile().isOn()) {
      members.put("profile", profile(snapshot.profile()));
    }
    return object(members);
  }

  private static String process(ProcessStatistics process) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (ProcessFigure figure : ProcessFigure.known(process)) {
      members.put(Figure.camelCase(figure), figure.of(process));
    }
    members.put("nativeHeapTrimming", quoted(process.nativeHeapTrimming()));
    return object(members);
  }

  private static String profile(LiveProfile profile) {
    List<String> sites = new ArrayList<>();
    for (LiveProfile.Site site :
        profile.sites().subList(0, Math.min(MOST_SITES, profile.sites().size()))) {
      sites.add(site(site));
    }
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("sampleBytes", profile.sampleBytes());
    members.put("sites", array(sites));
    return object(members);
  }

  private static String site(LiveProfile.Site site) {
    List<String> trace = new ArrayList<>();
    for (StackTraceElement frame : site.oldestTrace()) {
      trace.add(quoted(LiveProfile.Site.text(frame)));
    }
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("place", quoted(site.place()));
    members.put("direct", site.direct());
    members.put("bytes", site.bytes());
    members.put("buffers", site.buffers());
    members.put("samples", site.samples());
    members.put("oldestMillis", site.oldestMillis());
    members.put("oldestThread", quoted(site.oldestThread()));
    members.put("oldestTrace", array(trace));
    return object(members);
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
        array(memory.sizeClasses().stream().map(StatisticsJson::sizeClass).toList()));
    members.put(
        "byThreadHeap",
        array(memory.byThreadHeap().stream().map(StatisticsJson::threadHeap).toList()));
    return object(members);
  }

  private static String sizeClass(SizeClass sizeClass) {
    return object(
        List.of(SizeClassFigure.values()), Figure::camelCase, figure -> figure.of(sizeClass));
  }

  private static String threadHeap(ThreadHeap heap) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("state", quoted(heap.state().toString()));
    members.put("thread", quoted(heap.thread()));
    members.put("pageBytes", heap.pageBytes());
    members.put("liveBytes", heap.liveBytes());
    return object(members);
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

  private static String array(List<String> elements) {
    return '[' + String.join(",", elements) + ']';
  }

  private static String object(Map<String, Object> members) {
    return object(members.keySet(), name -> name, members::get);
  }

  private static <T> String object(
      Collection<T> members, Function<T, String> name, Function<T, ?> value) {
    return members.stream()
        .map(member -> '"' + name.apply(member) + "\":" + value.apply(member))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
