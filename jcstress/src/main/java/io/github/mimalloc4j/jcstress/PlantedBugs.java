package io.github.mimalloc4j.jcstress;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs the tests with a planted bug and fails unless each ends with a forbidden outcome: a race
 * that does not find a bug that is there proves nothing.
 *
 * <p>A rare interleaving needs its time on a busy machine, so those that found nothing run again,
 * and longer.
 */
public final class PlantedBugs {

  private static final String PACKAGE_SUFFIX = ".planted.";
  private static final String FOUND = "[FAILED] ";
  private static final int ROUNDS = 4;

  /** Of one iteration in the first round; each further round takes twice as long. */
  private static final int FIRST_MILLIS = 100;

  private PlantedBugs() {}

  /** Further arguments go to jcstress. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Set<String> missing =
        TestList.tests().stream()
            .filter(test -> test.contains(PACKAGE_SUFFIX))
            .collect(Collectors.toCollection(TreeSet::new));
    int all = missing.size();
    for (int round = 0; round < ROUNDS && !missing.isEmpty(); round++) {
      missing.removeAll(run(missing, FIRST_MILLIS << round, args));
    }
    System.out.println((all - missing.size()) + " of " + all + " planted bugs were found");
    missing.forEach(test -> System.out.println("NOT found: " + test));
    System.exit(missing.isEmpty() && all > 0 ? 0 : 1);
  }

  private static Set<String> run(Set<String> tests, int millis, String[] args)
      throws IOException, InterruptedException {
    String name = tests.stream().map(Pattern::quote).collect(Collectors.joining("|", "^(", ")$"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.openjdk.jcstress.Main");
    // One fork and one way to compile: what a bug needs is many tries, not many configurations. A
    // fork ends with the first forbidden outcome, so that only the starts of JVMs take time.
    command.addAll(List.of("-m", "quick", "-sc", "false", "-af", "NONE", "-f", "1", "-fsm", "0"));
    command.addAll(List.of("-iters", "3", "-time", String.valueOf(millis), "-t", name));
    command.addAll(List.of("-r", "results"));
    if (Runtime.version().feature() == 17) {
      command.addAll(List.of("-jvmArgs", "-XX:-UseBiasedLocking")); // newer JVMs have none
    }
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Set<String> found = new TreeSet<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        int at = line.indexOf(FOUND);
        if (at >= 0 && found.add(line.substring(at + FOUND.length()).trim())) {
          System.out.println("found: " + line.substring(at + FOUND.length()).trim());
        }
      }
    }
    process.waitFor();
    return found;
  }
}
