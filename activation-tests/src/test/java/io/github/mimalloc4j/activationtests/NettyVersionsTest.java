package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.agent;
import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activation.NettyVersion;
import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.InstallFirst;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether activation applies to a version of Netty. {@code -Dnetty.newest=...} names another than
 * the one that the library is compiled against.
 */
class NettyVersionsTest {

  /** What a Netty before 4.2.12 needs to count direct memory. */
  private static final String[] NETTY_COUNTS = {
    "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"
  };

  @ParameterizedTest
  @ValueSource(strings = {"oldest", "newest", "oldest41", "newest41"})
  void activationApplies(String version) {
    Program.on(Jdk.DEFAULT)
        .agent(agent())
        .options(Program.CHOSEN)
        .options(NETTY_COUNTS)
        .classPath(with(netty(version), programs()))
        .run(Echo.class)
        .usesMiMalloc()
        .isQuiet();
  }

  @ParameterizedTest
  @ValueSource(strings = {"oldest", "newest", "oldest41", "newest41"})
  void installingApplies(String version) {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .options(NETTY_COUNTS)
            .classPath(with(netty(version), core(), library(), programs()))
            .run(InstallFirst.class)
            .usesMiMalloc()
            .isQuiet();
    assertThat(outcome.value("installed")).isEqualTo("true");
  }

  /** Netty's limit for direct memory is not in force there, which matters to those who set it. */
  @ParameterizedTest
  @ValueSource(strings = {"oldest", "oldest41", "newest41"})
  void anOldNettySaysWhatItDoesNotCount(String version) {
    echo(version).run(Echo.class).usesMiMalloc().isQuiet();
    Outcome outcome =
        echo(version)
            .options("-Dio.netty.maxDirectMemory=100000000")
            .run(Echo.class)
            .usesMiMalloc();
    assertThat(outcome.err())
        .containsOnlyOnce("direct memory is not counted by -Dio.netty.maxDirectMemory");
  }

  private static Program echo(String version) {
    return Program.on(Jdk.DEFAULT)
        .agent(library())
        .options(Program.CHOSEN)
        .classPath(with(netty(version), programs()));
  }

  @ParameterizedTest
  @CsvSource({
    "4.0.200.Final, false",
    "4.1.50.Final, false",
    "4.1.117.Final, false",
    "4.1.118.Final, true",
    "4.1.140.Final, true",
    "4.2.0.Final, true",
    "4.2.20.Final, true",
    "4.2.100.Final-SNAPSHOT, true",
    "4.3.0.Final, true",
    "5.0.0.Alpha2, true",
    "4.1.20250101123456, true",
    "of our own, true",
  })
  void theMinimumIsComparedByNumbers(String version, boolean supported) {
    assertThat(NettyVersion.isSupported(version)).isEqualTo(supported);
  }

  @Test
  void theTestsOwnNettyHasNoProblem() {
    assertThat(NettyVersion.problem(NettyVersionsTest.class.getClassLoader())).isNull();
  }
}
