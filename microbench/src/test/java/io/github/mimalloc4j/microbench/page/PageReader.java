package io.github.mimalloc4j.microbench.page;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Reads the charts of a page as its script would, and the tables of a text. */
public final class PageReader {
  private static final Pattern CHART =
      Pattern.compile("<script type=\"application/json\">(.*?)</script>", Pattern.DOTALL);

  private PageReader() {}

  /** The cells of all tables, their headers among them. */
  public static List<List<String>> rows(String markdown) {
    return markdown
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList())
        .toList();
  }

  /** What all charts show. */
  public static List<JsonObject> charts(String html) {
    List<JsonObject> charts = new ArrayList<>();
    Matcher matcher = CHART.matcher(html);
    while (matcher.find()) {
      charts.add(JsonParser.parseString(matcher.group(1)).getAsJsonObject());
    }
    return charts;
  }

  /** The names of a chart's series, in the order of the legend. */
  public static List<String> legend(JsonObject chart) {
    return strings(chart, "series", "name");
  }

  /** The labels of a chart's bands. */
  public static List<String> bands(JsonObject chart) {
    return strings(chart, "bands", "label");
  }

  private static List<String> strings(JsonObject chart, String array, String member) {
    return chart.getAsJsonArray(array).asList().stream()
        .map(element -> element.getAsJsonObject().get(member).getAsString())
        .toList();
  }

  /** The name of an axis, x or y. */
  public static String axis(JsonObject chart, String axis) {
    return chart.getAsJsonObject(axis).get("name").getAsString();
  }

  /** The points of one series: x and y, and the spread if there is one. */
  public static List<List<Double>> points(JsonObject chart, String name) {
    for (JsonElement element : chart.getAsJsonArray("series")) {
      JsonObject series = element.getAsJsonObject();
      if (series.get("name").getAsString().equals(name)) {
        return series.getAsJsonArray("points").asList().stream()
            .map(
                point ->
                    StreamSupport.stream(point.getAsJsonArray().spliterator(), false)
                        .map(JsonElement::getAsDouble)
                        .toList())
            .toList();
      }
    }
    throw new AssertionError("no series " + name);
  }
}
