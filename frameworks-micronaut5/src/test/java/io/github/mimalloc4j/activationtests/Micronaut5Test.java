package io.github.mimalloc4j.activationtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.MicronautProgram;
import org.junit.jupiter.api.Test;

/** Micronaut 5 as it is, on the allocator: see {@link Outcome#carriesTraffic}. It needs Java 25. */
class Micronaut5Test {

  @Test
  void trafficUsesTheAllocatorAndEventLoopsOwnHeaps() {
    Outcome outcome =
        Program.on(Jdk.JDK_25)
            .agent(JarFiles.agent())
            .options(Program.CHOSEN, Program.BEANS)
            .classPath(JarFiles.frameworks()) // The program's jar is among them.
            .run(MicronautProgram.class)
            .carriesTraffic();
    assertThat(outcome.number("owned heaps")).isPositive();
  }
}
