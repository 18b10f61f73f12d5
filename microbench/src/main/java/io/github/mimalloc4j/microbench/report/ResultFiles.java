package io.github.mimalloc4j.microbench.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.CommandReport;
import io.github.mimalloc4j.microbench.UsageException;
import io.github.mimalloc4j.microbench.endtoend.EndToEndReport;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults;
import io.github.mimalloc4j.microbench.footprint.FootprintReport;
import io.github.mimalloc4j.microbench.footprint.FootprintResults;
import io.github.mimalloc4j.microbench.latency.LatencyReport;
import io.github.mimalloc4j.microbench.latency.LatencyResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All that the user's files hold.
 *
 * @param results of JMH
 * @param reports of other commands, one a file
 */
record ResultFiles(List<Result> results, List<CommandReport> reports) {

  /** Reads the files; what is wrong with one is said in one line that begins with its name. */
  static ResultFiles read(List<Path> files) throws UsageException {
    List<Result> results = new ArrayList<>();
    List<CommandReport> reports = new ArrayList<>();
    for (Path file : files) {
      JsonElement json = parse(file);
      try {
        if (LatencyResults.isIn(json)) {
          reports.add(new LatencyReport(LatencyResults.read(json.getAsJsonObject())));
        } else if (EndToEndResults.isIn(json)) {
          reports.add(new EndToEndReport(EndToEndResults.read(json.getAsJsonObject())));
        } else if (FootprintResults.isIn(json)) {
          reports.add(new FootprintReport(FootprintResults.read(json.getAsJsonObject())));
        } else if (JmhResults.isIn(json)) {
          results.addAll(jmh(file, json.getAsJsonArray()));
        } else {
          throw new UsageException(
              file
                  + " holds neither results of JMH (-rf json) nor of latency, end-to-end or"
                  + " footprint");
        }
      } catch (JsonParseException e) {
        throw new UsageException(file + ": " + firstLine(e));
      } catch (IllegalStateException
          | ClassCastException
          | UnsupportedOperationException
          | IllegalArgumentException
          | IndexOutOfBoundsException
          | NullPointerException e) {
        // What is thrown where something else stands, or nothing.
        throw new UsageException(file + " is damaged: something is missing in it, or wrong");
      }
    }
    return new ResultFiles(results, reports);
  }

  private static List<Result> jmh(Path file, JsonArray json) throws UsageException {
    if (json.isEmpty()) {
      throw new UsageException(file + " holds no results");
    }
    List<Result> results = JmhResults.read(json);
    if (results.isEmpty()) {
      throw new UsageException(
          file + ": no benchmark in it has the parameter '" + Result.ALLOCATOR + "'");
    }
    return results;
  }

  private static JsonElement parse(Path file) throws UsageException {
    if (!Files.exists(file)) {
      throw new UsageException(file + " does not exist");
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new UsageException(file + " cannot be read");
    }
    try {
      String text = Files.readString(file);
      if (text.isBlank()) {
        throw new UsageException(file + " is empty; JMH writes its results when all is done");
      }
      return JsonParser.parseString(text);
    } catch (IOException e) {
      throw new UsageException(file + " cannot be read as text");
    } catch (JsonParseException e) {
      throw new UsageException(file + " is no JSON: " + firstLine(e));
    }
  }

  private static String firstLine(JsonParseException e) {
    String message = String.valueOf(e.getMessage());
    return message
        .lines()
        .findFirst()
        .orElse("")
        .replaceFirst("^[\\w.]+Exception: ", "")
        .toString();
  }
}
