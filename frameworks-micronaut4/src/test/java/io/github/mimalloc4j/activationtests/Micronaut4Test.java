package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.frameworks;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.MicronautProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Micronaut 4 as it is, on the allocator: see {@link Outcome#carriesTraffic}. */
class Micronaut4Test {

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void trafficUsesTheAllocatorAndEventLoopsOwnHeaps(Jdk jdk) {
    Outcome outcome =
        Program.on(jdk)
            .agent(JarFiles.agent())
            .options(Program.CHOSEN, Program.BEANS)
            .classPath(with(frameworks(), programs()))
            .run(MicronautProgram.class)
            .carriesTraffic();
    assertThat(outcome.number("owned heaps")).isPositive();
  }
}
