package io.github.mimalloc4j.microbench.report;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.UsageException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Makes reports of {@link Stored} results, and reads what is in them. */
final class Reports {
  private Reports() {}

  static Report of(String... names) throws UsageException {
    List<Path> files = Arrays.stream(names).map(Stored::file).toList();
    return new Report(ResultFiles.read(files));
  }

  /** The cells of all tables. */
  static List<List<String>> rows(String markdown) {
    return markdown
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList())
        .toList();
  }

  /** The data of one series of a chart. */
  static String series(JsonObject chart, String name, String type) {
    return chart.getAsJsonArray("series").asList().stream()
        .map(JsonElement::getAsJsonObject)
        .filter(series -> series.has("name") && series.get("name").getAsString().equals(name))
        .filter(series -> series.get("type").getAsString().equals(type))
        .map(series -> series.get("data").toString())
        .findFirst()
        .orElseThrow();
  }
}
