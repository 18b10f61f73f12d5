package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.ExplicitUse;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The documented options are those that the code reads. */
class OptionsTest {

  private static final String PREFIX = "io.netty.allocator.mimalloc.";

  /** What the builder has besides; the first is an option of Netty's, -Dio.netty.noPreferDirect. */
  private static final Set<String> NO_OPTIONS =
      Set.of("preferDirect", "outOfMemoryListener", "misuseListener", "build");

  /** A row of the table in docs/activation.md: option, its default, the rest. */
  private static final Pattern ROW =
      Pattern.compile("^\\| `" + Pattern.quote(PREFIX) + "(\\w+)` \\| `([^`]+)` \\|.*\\|$");

  /** What the code logs when it reads an option. */
  private static final Pattern READ =
      Pattern.compile("-D" + Pattern.quote(PREFIX) + "(\\w+): (.+)$");

  @Test
  void allAreDocumentedWithTheirDefaults() throws IOException {
    assertThat(read(program().run(ExplicitUse.class))).isEqualTo(documented());
  }

  @Test
  void eachHasABuilderMethod() throws IOException {
    Set<String> methods =
        Arrays.stream(MiMallocByteBufAllocator.Builder.class.getDeclaredMethods())
            .filter(m -> Modifier.isPublic(m.getModifiers()))
            .map(Method::getName)
            .filter(name -> !NO_OPTIONS.contains(name))
            .collect(Collectors.toSet());
    assertThat(methods).isEqualTo(documented().keySet());
  }

  @Test
  void aBadValueIsAWarningThatNamesPropertyValueAndDefault() throws IOException {
    Program program = program();
    documented().keySet().forEach(name -> program.options("-D" + PREFIX + name + "=banana"));
    Outcome outcome = program.run(ExplicitUse.class);
    documented()
        .forEach(
            (name, value) ->
                assertThat(outcome.err().lines())
                    .anyMatch(
                        l ->
                            l.startsWith("WARNING")
                                && l.contains(PREFIX + name)
                                && l.contains("banana")
                                && l.endsWith("using the default, " + value)));
    assertThat(read(outcome)).isEqualTo(documented());
  }

  @Test
  void aPropertyThatIsNoOptionIsAWarning() {
    Outcome outcome = program().options("-D" + PREFIX + "trimDelayMilis=5").run(ExplicitUse.class);
    assertThat(outcome.err().lines())
        .filteredOn(line -> line.startsWith("WARNING"))
        .singleElement()
        .asString()
        .contains("trimDelayMilis is not an option");
  }

  private static Program program() {
    return Program.on(Jdk.DEFAULT)
        .options(DebugLog.option())
        .classPath(with(netty(), core(), library(), programs()));
  }

  private static Map<String, String> read(Outcome outcome) {
    return matches(outcome.err(), READ);
  }

  private static Map<String, String> documented() throws IOException {
    return matches(Files.readString(Path.of(System.getProperty("activation.options.doc"))), ROW);
  }

  private static Map<String, String> matches(String text, Pattern pattern) {
    return Pattern.compile(pattern.pattern(), Pattern.MULTILINE)
        .matcher(text)
        .results()
        .collect(
            Collectors.toMap(
                (MatchResult r) -> r.group(1),
                (MatchResult r) -> r.group(2),
                (first, second) -> second,
                TreeMap::new));
  }
}
