package io.github.mimalloc4j.planted;

import io.github.mimalloc4j.planted.PlantedBug.Change;
import io.github.mimalloc4j.planted.PlantedBug.Kind;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Plants a bug in a copy of the source, compiles that, and has tests look for it. */
final class Laboratory {

  /** What became of a planted bug, the worst last. Only the first is as it should be. */
  enum Verdict {
    FOUND,
    NOT_FOUND,
    FAILED_OTHERWISE,
    DOES_NOT_APPLY,
    DOES_NOT_COMPILE
  }

  /** A verdict, with what there is to say about it. */
  record Report(Verdict verdict, String message) {}

  /** How long tests look at most. */
  record Effort(int stressMillis, int modelCheckingTimes) {
    static final Effort USUAL = new Effort(90_000, 20);
  }

  private static final int MOST_MINUTES = 5;
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  private final Path folder;
  private final Effort effort;

  /** Uses a folder for what it compiles. */
  Laboratory(Path folder, Effort effort) {
    this.folder = folder;
    this.effort = effort;
  }

  Report examine(PlantedBug bug) throws IOException, InterruptedException {
    Path classes = Files.createTempDirectory(folder, bug.name());
    List<Path> edited;
    try {
      edited = edit(bug, Files.createDirectory(classes.resolve("source")));
    } catch (IllegalArgumentException e) {
      return new Report(Verdict.DOES_NOT_APPLY, e.getMessage());
    }
    String complaints = compile(edited, classes);
    if (!complaints.isEmpty()) {
      return new Report(Verdict.DOES_NOT_COMPILE, complaints);
    }
    List<String> findings = new ArrayList<>();
    Verdict worst = Verdict.FOUND;
    for (Kind kind : Kind.values()) {
      List<String> tests = bug.tests(kind);
      List<String> lines = tests.isEmpty() ? List.of() : run(kind, tests, classes);
      for (int i = 0; i < tests.size(); i++) {
        String line = i < lines.size() ? lines.get(i) : Verdict.FAILED_OTHERWISE + ":no result";
        int end = line.indexOf(Trial.SEPARATOR);
        Verdict verdict = Verdict.valueOf(line.substring(0, end));
        worst = verdict.compareTo(worst) > 0 ? verdict : worst;
        findings.add(tests.get(i) + ": " + line.substring(end + 1));
      }
    }
    return new Report(worst, String.join("; ", findings));
  }

  /**
   * Puts copies of the sources, with the changes, into a folder.
   *
   * @throws IllegalArgumentException if there is no such class, or a change does not fit it
   */
  static List<Path> edit(PlantedBug bug, Path folder) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Change change : bug.changes()) {
      String text = texts.get(change.source());
      if (text == null) {
        text = Sources.read(Sources.ofMain(change.source()));
      }
      texts.put(change.source(), change.applyTo(text));
    }
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      files.add(Files.writeString(folder.resolve(text.getKey() + ".java"), text.getValue()));
    }
    return files;
  }

  /** Returns what the compiler complains of, or nothing. */
  static String compile(List<Path> files, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    List<String> options =
        List.of("-cp", CLASS_PATH, "-d", classes.toString(), "-proc:none", "-nowarn");
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      Iterable<? extends JavaFileObject> sources = manager.getJavaFileObjectsFromPaths(files);
      boolean compiled = compiler.getTask(complaints, manager, null, options, null, sources).call();
      return compiled ? "" : complaints.toString();
    }
  }

  /** Returns a line for each test, as long as the JVM got. */
  private List<String> run(Kind kind, List<String> tests, Path classes)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", classes + File.pathSeparator + CLASS_PATH));
    // A model checking JVM ends before the second compiler would pay off.
    command.addAll(kind == Kind.MODEL ? List.of("-XX:TieredStopAtLevel=1") : List.of());
    command.add("-XX:+UseSerialGC");
    // No -ea: the tests are to find the states that assertions of the source would stop at.
    command.addAll(List.of("-Djdk.attach.allowAttachSelf=true", "-XX:+EnableDynamicAgentLoading"));
    command.add("-Dplanted.stress.millis=" + effort.stressMillis);
    command.add("-Dmodel-checking.times=" + effort.modelCheckingTimes);
    command.addAll(List.of(Trial.class.getName(), kind.name()));
    tests.forEach(test -> command.add(Sources.fullName(kind, test)));
    Path output = classes.resolve(kind + ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
    } finally {
      process.destroyForcibly();
    }
    try (Stream<String> lines = Files.lines(output)) {
      return lines
          .filter(line -> line.startsWith(Trial.MARK))
          .map(line -> line.substring(Trial.MARK.length()))
          .toList();
    }
  }
}
