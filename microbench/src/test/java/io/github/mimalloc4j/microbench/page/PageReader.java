package io.github.mimalloc4j.microbench.page;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the charts of a page as a browser would. */
public final class PageReader {
  private static final Pattern CHART =
      Pattern.compile("<script type=\"application/json\">(.*?)</script>", Pattern.DOTALL);

  private PageReader() {}

  /** The options of all charts. */
  public static List<JsonObject> charts(String html) {
    List<JsonObject> charts = new ArrayList<>();
    Matcher matcher = CHART.matcher(html);
    while (matcher.find()) {
      charts.add(JsonParser.parseString(matcher.group(1)).getAsJsonObject());
    }
    return charts;
  }

  /** The names of a chart's lines, in the order of the legend. */
  public static List<String> legend(JsonObject chart) {
    return chart.getAsJsonObject("legend").getAsJsonArray("data").asList().stream()
        .map(JsonElement::getAsString)
        .toList();
  }

  /** The points of one line. */
  public static List<List<Double>> points(JsonObject chart, String line) {
    for (JsonElement element : chart.getAsJsonArray("series")) {
      JsonObject series = element.getAsJsonObject();
      if (series.has("name") && series.get("name").getAsString().equals(line)) {
        return series.getAsJsonArray("data").asList().stream()
            .map(JsonElement::getAsJsonArray)
            .map(point -> List.of(point.get(0).getAsDouble(), point.get(1).getAsDouble()))
            .toList();
      }
    }
    throw new AssertionError("no line " + line);
  }

  /** The labels of a chart's bands. */
  public static List<String> bands(JsonObject chart) {
    JsonObject background = chart.getAsJsonArray("series").get(0).getAsJsonObject();
    JsonArray areas = background.getAsJsonObject("markArea").getAsJsonArray("data");
    return areas.asList().stream()
        .map(area -> area.getAsJsonArray().get(0).getAsJsonObject().get("name").getAsString())
        .toList();
  }
}
