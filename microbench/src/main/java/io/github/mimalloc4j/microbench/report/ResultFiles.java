package io.github.mimalloc4j.microbench.report;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.compare.CompareResults;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults;
import io.github.mimalloc4j.microbench.footprint.BurstsResults;
import io.github.mimalloc4j.microbench.footprint.FootprintResults;
import io.github.mimalloc4j.microbench.latency.LatencyResults;
import io.github.mimalloc4j.microbench.replay.ReplayResults;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.FileFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that the user's files hold.
 *
 * @param results of JMH
 * @param reports of other commands, one a file
 * @param notes what was left out or put together, a sentence each
 */
record ResultFiles(List<JmhResult> results, List<CommandReport> reports, List<String> notes) {
  private static final List<FileFormat<?>> FORMATS =
      List.of(
          CompareResults.FORMAT,
          LatencyResults.FORMAT,
          EndToEndResults.FORMAT,
          FootprintResults.FORMAT,
          BurstsResults.FORMAT,
          ReplayResults.FORMAT);

  /** Reads the files; what is wrong with one is said in one line that begins with its name. */
  static ResultFiles read(List<Path> files) throws IOException {
    ResultFiles all = new ResultFiles(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Path file : files) {
      JsonElement json = parse(file);
      try {
        all.add(file, json);
      } catch (RuntimeException e) {
        // Thrown for values that are missing or of another type.
        throw new IOException(file + " is damaged or incomplete: " + firstLine(e), e);
      }
    }
    return all;
  }

  private void add(Path file, JsonElement json) throws IOException {
    Optional<FileFormat<?>> format = FORMATS.stream().filter(one -> one.isIn(json)).findFirst();
    if (format.isPresent()) {
      reports.add(format.get().report(json));
      return;
    }
    @Nullable String wrong = null;
    if (!JmhResults.isIn(json)) {
      wrong =
          " has no results of JMH (-rf json), compare, latency, end-to-end, footprint or replay, or"
              + " was written by another version of the command";
    } else if (json.getAsJsonArray().isEmpty()) {
      wrong = " has no results";
    } else if (!add(file, JmhResults.read(json), json.getAsJsonArray().size())) {
      wrong = " has no benchmark with the parameter '" + JmhResults.ALLOCATOR + "'";
    }
    if (wrong != null) {
      throw new IOException(file + wrong);
    }
  }

  /** Adds results of JMH; returns false if there are none. */
  private boolean add(Path file, List<JmhResult> found, int all) {
    note(file, all - found.size(), "without an allocator, left out");
    note(
        file,
        found.stream().filter(one -> results.stream().anyMatch(one::repeats)).count(),
        "that add forks to those of other files, perhaps of another build");
    return results.addAll(found);
  }

  private void note(Path file, long count, String what) {
    if (count > 0) {
      notes.add("Results of " + file.getFileName() + " " + what + ": " + count + ".");
    }
  }

  private static JsonElement parse(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException(file + " does not exist");
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException(file + " cannot be read");
    }
    try {
      String text = Files.readString(file);
      if (!text.isBlank()) {
        return JsonParser.parseString(text);
      }
    } catch (IOException e) {
      throw new IOException(file + " cannot be read as text", e);
    } catch (JsonParseException e) {
      throw new IOException(file + " is not JSON: " + firstLine(e), e);
    }
    throw new IOException(file + " is empty; JMH writes its results at the end");
  }

  /** Of the message, without names of exceptions. */
  private static String firstLine(RuntimeException e) {
    return String.valueOf(e.getMessage())
        .lines()
        .findFirst()
        .orElse("")
        .replaceFirst("^[\\w.]+Exception: ", "");
  }
}
