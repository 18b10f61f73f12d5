package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activation.NettyVersion;
import io.github.mimalloc4j.activationtests.programs.Echo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether activation applies to a version of Netty. {@code -Dnetty.newest=...} names another than
 * the one that the library is compiled against.
 */
class NettyVersionsTest {

  @ParameterizedTest
  @ValueSource(strings = {"oldest", "newest"})
  void activationApplies(String version) {
    Program.on(Jdk.DEFAULT)
        .agent(library())
        .options(Program.CHOSEN)
        .classPath(with(netty(version), programs()))
        .run(Echo.class)
        .usesMiMalloc()
        .isQuiet();
  }

  @ParameterizedTest
  @CsvSource({
    "4.1.140.Final, false",
    "4.2.0.RC1, false",
    "4.2.11.Final, false",
    "4.2.12.Final, true",
    "4.2.20.Final, true",
    "4.2.100.Final-SNAPSHOT, true",
    "4.3.0.Final, true",
    "5.0.0.Alpha2, true",
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
