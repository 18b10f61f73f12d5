package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.OwnAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dio.netty.bootstrap.extensions=serviceload}. */
class ExtensionTest {

  private static final String EXTENSIONS = "-Dio.netty.bootstrap.extensions=serviceload";

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void replacesTheDefaultOfChannelsAndNothingElse(Jdk jdk) {
    Outcome outcome = program(jdk).options(EXTENSIONS).run(Echo.class);
    assertThat(outcome.value("client")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("server child")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("echoed")).isEqualTo("true");
    assertThat(outcome.value("default")).isEqualTo("AdaptiveByteBufAllocator");
    assertThat(outcome.value("embedded")).isEqualTo("AdaptiveByteBufAllocator");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void leavesAnAllocatorThatTheApplicationChose(Jdk jdk) {
    Outcome outcome = program(jdk).options(EXTENSIONS).run(OwnAllocator.class);
    assertThat(outcome.value("server child")).isEqualTo("UnpooledByteBufAllocator");
    assertThat(outcome.value("client")).isEqualTo("MiMallocByteBufAllocator");
  }

  @Test
  void obeysThePropertyThatNamesAnotherAllocator() {
    program(Jdk.DEFAULT)
        .options(EXTENSIONS, "-Dio.netty.allocator.type=pooled")
        .run(Echo.class)
        .uses("PooledByteBufAllocator");
  }

  @Test
  void withoutTheOptionNothingIsReplaced() {
    program(Jdk.DEFAULT).run(Echo.class).uses("AdaptiveByteBufAllocator").isQuiet();
  }

  @Test
  void agreesWithTheAgent() {
    program(Jdk.DEFAULT)
        .agent(library())
        .options(EXTENSIONS, Program.CHOSEN)
        .run(Echo.class)
        .usesMiMalloc();
  }

  private static Program program(Jdk jdk) {
    return Program.on(jdk).classPath(with(netty(), core(), library(), programs()));
  }
}
