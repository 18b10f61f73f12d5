package io.github.mimalloc4j.microbench.report;

import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Makes reports of {@link Stored} results, and reads what is in them. */
final class Reports {
  private Reports() {}

  static Document of(String... names) throws IOException {
    List<Path> files = Arrays.stream(names).map(Stored::file).toList();
    return new Report(ResultFiles.read(files)).document();
  }

  /** The points of one series of a chart: place, value, lowest and highest. */
  static String series(JsonObject chart, String name) {
    return PageReader.points(chart, name).toString().replace(" ", "");
  }

  /** The names of the groups of bars. */
  static String groups(JsonObject chart) {
    return chart.get("groups").toString();
  }
}
