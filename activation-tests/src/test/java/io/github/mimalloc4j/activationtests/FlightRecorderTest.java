package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.programs.Echo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events come along by every route, and no route needs Flight Recorder. */
class FlightRecorderTest {

  private static final String EVENT = "io.netty.AllocateBuffer";

  private static final String NO_FLIGHT_RECORDER =
      "--limit-modules=java.base,java.logging,java.instrument,jdk.unsupported,jdk.zipfs";

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void onTheClassPath(Jdk jdk) throws IOException {
    assertRecorded(onClassPath(jdk), Echo.class.getName());
    onClassPath(jdk).options(NO_FLIGHT_RECORDER).run(Echo.class).usesMiMalloc().isQuiet();
  }

  private static Program onClassPath(Jdk jdk) {
    return Program.on(jdk)
        .agent(library())
        .options(Program.CHOSEN)
        .classPath(with(netty(), programs()));
  }

  /** The agent defines the library's classes in the loader that has Netty. */
  @ParameterizedTest
  @EnumSource(Jdk.class)
  void inAnExecutableJar(Jdk jdk) throws IOException {
    Path jar = ExecutableJars.springBoot("recorded-" + jdk, Echo.class, netty());
    assertRecorded(inJar(jdk, jar));
    inJar(jdk, jar).options(NO_FLIGHT_RECORDER).run().usesMiMalloc().isQuiet();
  }

  private static Program inJar(Jdk jdk, Path jar) {
    return Program.on(jdk).jar(jar).agent(library()).options(Program.CHOSEN);
  }

  /** Netty and the library are named modules: neither brings the module of Flight Recorder. */
  @ParameterizedTest
  @EnumSource(Jdk.class)
  void inNamedModules(Jdk jdk) throws IOException {
    assertRecorded(inModules(jdk).options("--add-modules", "jdk.jfr"), Echo.class.getName());
    inModules(jdk)
        .options(NO_FLIGHT_RECORDER + ",io.github.mimalloc4j.netty")
        .run(Echo.class)
        .usesMiMalloc()
        .isQuiet();
  }

  private static Program inModules(Jdk jdk) {
    return Program.on(jdk)
        .modulePath(with(netty(), core(), library()))
        .options("--add-modules", "io.github.mimalloc4j.netty", "-cp", programs().toString())
        .agent(library())
        .options(Program.CHOSEN);
  }

  private static void assertRecorded(Program program, String... arguments) throws IOException {
    Path file = Files.createTempFile(JarFiles.workFolder(), "recorded", ".jfr");
    program
        .options("-XX:StartFlightRecording:filename=" + file + ",+" + EVENT + "#enabled=true")
        .run(arguments)
        .usesMiMalloc();
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals(EVENT))
            .toList();
    assertThat(events)
        .isNotEmpty()
        .allMatch(
            event ->
                event
                    .getClass("allocatorType")
                    .getName()
                    .equals("io.github.mimalloc4j.netty.MiMallocByteBufAllocator"));
  }
}
