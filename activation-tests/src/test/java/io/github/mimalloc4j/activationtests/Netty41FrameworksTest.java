package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.AwsHttpProgram;
import io.github.mimalloc4j.activationtests.programs.LettuceProgram;
import io.github.mimalloc4j.activationtests.programs.ReactorNettyProgram;
import io.github.mimalloc4j.activationtests.programs.VertxServerProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of frameworks that are on Netty 4.1, with the agent. That their traffic uses the
 * allocator is told by its own figures. Of what these tests have on their class path, such as newer
 * versions of the same frameworks, nothing is on the programs'.
 */
class Netty41FrameworksTest {

  @ParameterizedTest
  @ValueSource(classes = {AwsHttpProgram.class, LettuceProgram.class, ReactorNettyProgram.class})
  void trafficUsesTheAllocator(Class<?> program) {
    Outcome outcome = run(program);
    assertThat(outcome.number("used bytes"))
        .as(outcome.toString())
        .isGreaterThan(outcome.number("used bytes before"));
  }

  /** Its channels have an allocator of Vert.x' own, whatever Netty's default is. */
  @Test
  void vertx4DoesNotAskForNettysDefault() {
    Outcome outcome = run(VertxServerProgram.class);
    assertThat(outcome.number("used bytes")).isEqualTo(outcome.number("used bytes before"));
  }

  private static Outcome run(Class<?> program) {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(library())
            .options(Program.CHOSEN)
            .classPath(with(netty("frameworks41"), programs()))
            .run(program);
    assertThat(outcome.value("default")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("echoed")).isEqualTo("true");
    assertThat(outcome.err()).doesNotContain("WARN", "not activated");
    return outcome;
  }
}
