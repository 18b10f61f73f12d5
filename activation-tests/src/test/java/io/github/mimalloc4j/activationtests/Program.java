package io.github.mimalloc4j.activationtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.programs.OwnedHeaps;
import io.github.mimalloc4j.activationtests.programs.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A program in a JVM of its own. */
final class Program {

  /** The type of allocator. */
  static final String TYPE = "mimalloc";

  /** The property that chooses the allocator. */
  static final String CHOSEN = "-Dio.netty.allocator.type=" + TYPE;

  /** The option with which programs can ask who owns a heap: see {@link OwnedHeaps}. */
  static final String BEANS = "-Dio.netty.allocator.mimalloc.jmx=true";

  /** Far more than any program here takes; a hanging one must not hang the build. */
  private static final long TIMEOUT_SECONDS = 180;

  private final List<String> command = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();

  private Path jar;

  private Program(Jdk jdk) {
    command.add(jdk.java().toString());
    // Short programs: compiling them well takes longer than running them.
    options("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");
    // What is printed depends on the tests, not on the machine's language or network.
    options("-Duser.language=en", "-Duser.country=US", "-Dio.netty.machineId=02:00:00:00:00:01");
  }

  static Program on(Jdk jdk) {
    return new Program(jdk);
  }

  Program options(String... options) {
    command.addAll(List.of(options));
    return this;
  }

  Program agent(Path jar) {
    return options("-javaagent:" + jar);
  }

  Program classPath(List<Path> entries) {
    return options("-cp", JarFiles.joined(entries));
  }

  Program modulePath(List<Path> entries) {
    return options("--module-path", JarFiles.joined(entries));
  }

  /** Runs an executable jar. */
  Program jar(Path jar) {
    this.jar = jar;
    return this;
  }

  Program environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs it to its end, which must be a normal one. */
  Outcome run(Class<?> main, String... arguments) {
    options(main.getName());
    return run(arguments);
  }

  /** As {@link #run(Class, String...)}, where the options say what is run. */
  Outcome run(String... arguments) {
    if (jar != null) {
      options("-jar", jar.toString());
    }
    options(arguments);
    try {
      Path out = Files.createTempFile(JarFiles.workFolder(), "program", ".out");
      Path err = Files.createTempFile(JarFiles.workFolder(), "program", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      // Whatever the build itself was started with is not what is tested.
      builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      Outcome outcome = new Outcome(Files.readString(out), Files.readString(err));
      assertThat(process.exitValue()).as("%s%n%s", command, outcome).isZero();
      return outcome;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What a program printed. */
  record Outcome(String out, String err) {

    /** Where Vert.x tells of a thread that is blocked, with its stack trace. */
    private static final Pattern BLOCKED_THREAD =
        Pattern.compile("VertxException: Thread blocked\\R(\\s+at .*(\\R|$))+");

    /** What the program reported under a name. */
    String value(String name) {
      String start = Report.PREFIX + name + '=';
      List<String> values =
          out.lines()
              .filter(l -> l.startsWith(start))
              .map(l -> l.substring(start.length()))
              .toList();
      assertThat(values).as("%s in%n%s", name, this).hasSize(1);
      return values.get(0);
    }

    long number(String name) {
      return Long.parseLong(value(name));
    }

    /** That nothing was printed to standard error, by the JVM or by anyone. */
    Outcome isQuiet() {
      assertThat(err).as(toString()).isEmpty();
      return this;
    }

    /** That the agent told, and nobody else anything, that its property is missing or misspelt. */
    Outcome saysThatTheAgentHasNoEffect() {
      assertThat(err.lines())
          .as(toString())
          .singleElement()
          .asString()
          .contains("the agent has no effect", CHOSEN);
      return this;
    }

    /** That all of the program's traffic used that allocator, and arrived. */
    Outcome uses(String allocator) {
      assertThat(List.of("default", "server child", "client", "embedded"))
          .as(toString())
          .allSatisfy(name -> assertThat(value(name)).as(name).isEqualTo(allocator));
      assertThat(value("echoed")).isEqualTo("true");
      assertThat(number("used bytes")).as(toString()).isPositive();
      return this;
    }

    /**
     * That the traffic of a framework arrived, used this library's allocator, and was released. Its
     * own figures tell that: before the traffic it held no memory, or less, and afterwards less
     * than the traffic of one direction. What frameworks print is their own affair.
     */
    Outcome carriesTraffic() {
      assertThat(arrived().number("most used bytes"))
          .as(toString())
          .isGreaterThan(number("used bytes before"));
      assertThat(number("used bytes")).as(toString()).isLessThan(16 << 20);
      return this;
    }

    /**
     * What was printed to standard error, without the JVM's warnings, which name paths of jars, and
     * without what a thread was doing that had no CPU for some time: it may have been in any code.
     */
    Stream<String> warnings() {
      return BLOCKED_THREAD
          .matcher(err)
          .replaceAll("")
          .lines()
          .filter(line -> !line.contains(" has been called by "));
    }

    /** That the traffic arrived, with this library's allocator as Netty's default. */
    Outcome arrived() {
      assertThat(value("default")).isEqualTo("MiMallocByteBufAllocator");
      assertThat(value("echoed")).isEqualTo("true");
      assertThat(warnings()).noneMatch(line -> line.contains("mimalloc"));
      return this;
    }

    Outcome usesMiMalloc() {
      return uses("MiMallocByteBufAllocator");
    }

    /** The one warning of this library, which says that nothing was activated, and why. */
    Outcome warnsOnce(String... reasons) {
      List<String> warnings =
          err.lines().filter(l -> l.contains("Netty") || l.contains("is not activated")).toList();
      assertThat(warnings).as(toString()).hasSize(1);
      assertThat(warnings.get(0)).contains(reasons);
      return this;
    }

    @Override
    public String toString() {
      return "--- out\n" + out + "--- err\n" + err + "---";
    }
  }
}
