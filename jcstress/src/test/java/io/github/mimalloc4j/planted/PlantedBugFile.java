package io.github.mimalloc4j.planted;

import io.github.mimalloc4j.planted.PlantedBug.Change;
import io.github.mimalloc4j.planted.PlantedBug.Kind;
import io.github.mimalloc4j.planted.PlantedBug.TestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads planted bugs, which are separated by blank lines:
 *
 * <pre>
 * U1 LookBeforeClear: the task looks first, and the request is forgotten afterwards
 * stress RequestAndRunTest
 * model UpkeepModelCheckingTest#reasonIsSeenByThisRunOrTheNext
 * in Upkeep
 * - scheduled = false;
 * - task.run();
 * + task.run();
 * + scheduled = false;
 * </pre>
 *
 * <p>Lines with a minus are the text to replace, those with a plus that follow them what takes its
 * place, if anything. There may be several changes, also in several classes.
 */
final class PlantedBugFile {

  private static final Pattern HEADING = Pattern.compile("([A-Z]\\d) (\\w+): (.+)");
  private static final Pattern LINE = Pattern.compile("(stress|model|in|-|\\+) +(.*)");

  private final List<TestName> tests = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private String source = "";
  private String find = "";
  private String replacement = "";

  private PlantedBugFile() {}

  /**
   * Reads all planted bugs of a text.
   *
   * @throws IllegalArgumentException if the text is not as described
   */
  static List<PlantedBug> parse(String text) {
    List<PlantedBug> bugs = new ArrayList<>();
    for (String paragraph : text.strip().split("\n\\s*\n")) {
      List<String> lines = paragraph.lines().filter(line -> !line.startsWith("#")).toList();
      if (!lines.isEmpty()) {
        bugs.add(new PlantedBugFile().bug(lines));
      }
    }
    return bugs;
  }

  private PlantedBug bug(List<String> lines) {
    Matcher heading = matching(HEADING, lines.get(0));
    for (String line : lines.subList(1, lines.size())) {
      Matcher matcher = matching(LINE, line);
      read(matcher.group(1), matcher.group(2));
    }
    endChange();
    if (tests.isEmpty() || changes.isEmpty()) {
      throw new IllegalArgumentException("Without a test or without a change: " + lines.get(0));
    }
    return new PlantedBug(heading.group(1), heading.group(2), heading.group(3), tests, changes);
  }

  private void read(String key, String value) {
    switch (key) {
      case "in" -> {
        endChange();
        source = value;
      }
      case "-" -> {
        if (!replacement.isEmpty()) {
          endChange();
        }
        find += (find.isEmpty() ? "" : "\n") + value;
      }
      case "+" -> replacement += (replacement.isEmpty() ? "" : "\n") + value;
      default -> tests.add(new TestName(Kind.valueOf(key.toUpperCase(Locale.ROOT)), value));
    }
  }

  private void endChange() {
    if (find.isEmpty() ? !replacement.isEmpty() : source.isEmpty()) {
      throw new IllegalArgumentException("To replace what, in which class? " + find + replacement);
    }
    if (!find.isEmpty()) {
      changes.add(new Change(source, find, replacement));
    }
    find = "";
    replacement = "";
  }

  private static Matcher matching(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Not understood: " + line);
    }
    return matcher;
  }
}
