package io.github.mimalloc4j.planted;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A mistake in the real source that tests have to find.
 *
 * @param rule the protocol of {@code docs/synchronization.md} that it breaks
 * @param title what is wrong then
 * @param tests each of them has to find it
 */
record PlantedBug(
    String rule, String name, String title, List<TestName> tests, List<Change> changes) {

  /** What runs a test: jcstress or Lincheck. */
  enum Kind {
    STRESS,
    MODEL
  }

  /**
   * A test that has to find the bug.
   *
   * @param name of a stress test the class, of a model-checking test the class, # and the method
   */
  record TestName(Kind kind, String name) {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * Text that is replaced. Where it has white space the source has some, too, however much: so it
   * does not matter how the source is formatted.
   *
   * @param source the simple name of the class
   */
  record Change(String source, String find, String replacement) {

    /**
     * Returns the text of the source with the change.
     *
     * @throws IllegalArgumentException unless what is to be replaced is there exactly once
     */
    String applyTo(String text) {
      String words =
          Arrays.stream(find.strip().split("\\s+"))
              .map(Pattern::quote)
              .collect(Collectors.joining("\\s+"));
      List<MatchResult> places = Pattern.compile(words).matcher(text).results().toList();
      if (places.size() != 1) {
        throw new IllegalArgumentException(
            source + " has this " + places.size() + " times and not once: " + find);
      }
      MatchResult place = places.get(0);
      return text.substring(0, place.start()) + replacement + text.substring(place.end());
    }
  }

  List<String> tests(Kind kind) {
    return tests.stream().filter(test -> test.kind == kind).map(TestName::name).toList();
  }

  @Override
  public String toString() {
    return rule + " " + name;
  }
}
