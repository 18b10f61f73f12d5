package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportCommandTest {
  /** What a system may not tell, and what the reference does not have. */
  private static final Set<String> OPTIONAL =
      Set.of("used", "resident", "cpuSeconds", "compilerSeconds", "garbage", "values", "ratio");

  /** Members whose own members are names. */
  private static final Set<String> MAPS = Set.of("collections", "samples", "allocators");

  private static final String PERCENTILE = "[\\d.]+";

  @TempDir private Path folder;

  @Test
  void pageIsWrittenAndTablePrinted() throws Exception {
    Path output = folder.resolve("page.html");

    CommandRun run =
        run(
            Stored.file("results.json").toString(),
            "--output",
            output.toString(),
            Stored.file("latency.json").toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("| benchmark ", "| allocate ", "Web page with charts: " + output);
    assertThat(PageReader.charts(Files.readString(output))).isNotEmpty();
  }

  @Test
  void pictureOfApplicationsOperationsAndBurstsIsWritten() throws Exception {
    CommandRun run = runWithPicture("end-to-end.json", "compare.json", "bursts.json");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("Picture: " + picture());
    assertThat(picture())
        .content()
        .startsWith("<svg ")
        .contains(">Applications, JDK 17.0.15<", ">plaintext:single<")
        .contains(">Single operations, JDK 17.0.15<", ">8,192 live<")
        .contains(">Memory after a burst, JDK 17.0.15<", ">% of the burst's peak still resident")
        .contains(">mimalloc4j<", ">Adaptive<", ">Pooled<");
  }

  @Test
  void plotsOfTheSameKindCanBeToldApart() throws Exception {
    Path second = Files.copy(Stored.file("end-to-end.json"), folder.resolve("second.json"));

    CommandRun run =
        run(
            Stored.file("end-to-end.json").toString(),
            second.toString(),
            "--output",
            folder.resolve("page.html").toString(),
            "--picture",
            picture().toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(picture())
        .content()
        .contains(">Applications, JDK 17.0.15, run 1", ">Applications, JDK 17.0.15, run 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--output", "--picture"})
  void resultsAreNotOverwritten(String option) throws Exception {
    Path results = Files.copy(Stored.file("end-to-end.json"), folder.resolve("results.json"));

    CommandRun run = run(results.toString(), option, results.toString());

    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains(option + " would overwrite " + results);
    assertThat(results).hasSameBinaryContentAs(Stored.file("end-to-end.json"));
  }

  @Test
  void pictureOfOtherResultsIsExplained() throws Exception {
    CommandRun run = runWithPicture("latency.json");

    assertThat(run.code()).isNotZero();
    assertThat(run.err())
        .contains("--picture needs results of end-to-end, compare or footprint --bursts");
    assertThat(folder.resolve("page.html")).as("before a page is written").doesNotExist();
  }

  private CommandRun runWithPicture(String... names) {
    Stream<String> files = Arrays.stream(names).map(name -> Stored.file(name).toString());
    String page = folder.resolve("page.html").toString();
    return run(
        Stream.concat(files, Stream.of("--output", page, "--picture", picture().toString()))
            .toArray(String[]::new));
  }

  private Path picture() {
    return folder.resolve("picture.svg");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | is empty; JMH writes its results at the end",
        "hello | has no results of JMH (-rf json), compare, latency,",
        "{\"a\": | is not JSON: End of input at line 1 column 6 path $.a",
        "{\"a\": 1} | has no results of JMH (-rf json), compare, latency,",
        "[1] | has no results of JMH (-rf json), compare, latency,",
        "[{\"benchmark\": \"a.B.c\"}] | has no results of JMH (-rf json),",
        "[] | has no results",
        "{\"format\": 1, \"rounds\": []} | has no results of JMH (-rf json),",
        "{\"format\": \"mimalloc4j latency 2\"} | or was written by another version",
        "{\"format\": \"mimalloc4j latency 3\"} | is damaged or incomplete: setup is missing",
        "{\"format\": \"mimalloc4j end-to-end 4\", \"setup\": 1} | is damaged",
        "[{\"benchmark\": \"a.B.c\", \"primaryMetric\": {}}] | is damaged",
      })
  void foreignAndBrokenFilesAreExplainedInOneLine(String content, String message) throws Exception {
    assertExplained(content, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | {\"scoreUnit\": \"ns/op\", \"rawData\": [[1]]} | has no benchmark with the parameter",
        "{\"allocator\": \"x\"} | {\"scoreUnit\": \"ns/op\"} | a.B.c has no rawData",
        "{\"allocator\": \"x\"} | {\"rawData\": [[1]]} | scoreUnit is missing",
        "{\"allocator\": \"x\"} | {\"scoreUnit\": \"#\", \"rawData\": [[1]]} | unknown scoreUnit #",
        "{\"allocator\": \"x\"} | {\"scoreUnit\": \"ns/op\", \"rawData\": [[\"NaN\"]]}"
            + " | a.B.c has no measurements",
        "{\"allocator\": \"x\"} | {\"scoreUnit\": \"ns/op\", \"rawData\": [[\"x\"]]} | is damaged",
        "{\"allocator\": \"x\"} | {\"scoreUnit\": \"ns/op\", \"rawData\": 1} | is damaged",
      })
  void resultsOfJmhThatTellNothingAreExplained(String parameters, String metric, String message)
      throws Exception {
    assertExplained(
        ("[{\"benchmark\": \"a.B.c\", \"mode\": \"avgt\", \"threads\": 1, \"params\": %s,"
                + " \"primaryMetric\": %s}]")
            .formatted(parameters, metric),
        message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "latency.json",
        "end-to-end.json",
        "footprint.json",
        "compare.json",
        "bursts.json"
      })
  void missingPartsOfACommandsResultsAreExplained(String name) throws Exception {
    String whole = read(name);
    for (int tenth = 1; tenth < 10; tenth++) {
      assertExplained(whole.substring(0, whole.length() / 10 * tenth), "is not JSON");
    }
    JsonObject json = JsonParser.parseString(whole).getAsJsonObject();
    assertThat(eachMemberIsNeeded(json, json, false)).isGreaterThan(15);
  }

  /** Takes away members one by one; of arrays those of the first element. */
  private int eachMemberIsNeeded(JsonObject root, JsonElement part, boolean isMap)
      throws Exception {
    int taken = 0;
    if (part instanceof JsonArray array) {
      return eachMemberIsNeeded(root, array.get(0), false);
    }
    if (part instanceof JsonObject object) {
      for (String member : Set.copyOf(object.keySet())) {
        JsonElement value = object.remove(member);
        if (!isMap && !OPTIONAL.contains(member) && !member.matches(PERCENTILE)) {
          taken++;
          assertExplained(
              root.toString(),
              member.equals("format") ? "has no results of JMH" : "incomplete: " + member);
        }
        object.add(member, value);
        taken += eachMemberIsNeeded(root, value, MAPS.contains(member));
      }
    }
    return taken;
  }

  @Test
  void resultsOfNothingAreExplained() throws Exception {
    JsonObject server = JsonParser.parseString(read("end-to-end.json")).getAsJsonObject();
    server.add("rounds", new JsonArray());
    assertExplained(server.toString(), "it has no rounds");
    JsonObject footprint = JsonParser.parseString(read("footprint.json")).getAsJsonObject();
    footprint.getAsJsonObject("samples").add("POOLED", new JsonArray());
    assertExplained(footprint.toString(), "no samples of the phase steady");
    footprint.getAsJsonObject("samples").add("NO_ALLOCATOR", new JsonArray());
    assertExplained(footprint.toString(), "is damaged");
    footprint.add("samples", new JsonObject());
    assertExplained(footprint.toString(), "it has no samples");
    JsonObject compare = JsonParser.parseString(read("compare.json")).getAsJsonObject();
    compare.add("figures", new JsonArray());
    assertExplained(compare.toString(), "it has no figures, or some without MIMALLOC");
    assertExplained(
        read("compare.json").replace("\"BARE\"", "\"ADAPTIVE\""),
        "8,192 live, direct is there twice with ADAPTIVE");
    JsonObject bursts = JsonParser.parseString(read("bursts.json")).getAsJsonObject();
    bursts.getAsJsonObject("allocators").remove("MIMALLOC");
    bursts.getAsJsonObject("allocators").getAsJsonObject("POOLED").add("bursts", new JsonArray());
    assertExplained(bursts.toString(), "it has no bursts");
  }

  @Test
  void ratiosThatAreNoneAreExplained() throws Exception {
    assertExplained(read("compare.json").replace("4.0", "5.5"), "no range: 5.5, 4.5, 5.0");
    assertExplained(read("compare.json").replace("0.5", "0"), "no range: 0.0, 0.75, 1.25");
  }

  @Test
  void filesThatAreNotThereAreExplained() {
    assertExplained(run("no-such.json"), "no-such.json does not exist");
    assertExplained(run(folder.toString()), folder + " cannot be read");
    assertExplained(run(), "no result files given");
    assertExplained(run("a.json", "a.json"), "a.json is given twice");
    assertExplained(run("a.json", "./a.json"), "a.json is given twice");
  }

  @Test
  void binaryFilesAreExplained() throws Exception {
    Path file = folder.resolve("results.json");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

    assertExplained(run(file.toString()), file + " cannot be read as text");
  }

  private static String read(String name) throws Exception {
    return Files.readString(Stored.file(name));
  }

  private void assertExplained(String content, String message) throws Exception {
    Path file = folder.resolve("results.json");
    Files.writeString(file, content);
    assertExplained(run(file.toString()), file.toString(), message);
  }

  private static CommandRun run(String... args) {
    return CommandRun.of(new ReportCommand(), args);
  }

  private static void assertExplained(CommandRun run, String... parts) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors())
        .singleElement()
        .asString()
        .startsWith("report: " + parts[0])
        .contains(parts);
  }
}
