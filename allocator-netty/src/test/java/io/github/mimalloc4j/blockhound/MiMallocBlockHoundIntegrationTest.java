package io.github.mimalloc4j.blockhound;

import io.github.mimalloc4j.netty.support.OtherJvm;
import org.junit.jupiter.api.Test;

/** The library under BlockHound, which changes the JVM that it watches. */
class MiMallocBlockHoundIntegrationTest {

  @Test
  void contendingEventLoopsMayWaitForEachOther() {
    run(WatchedPrograms.Contention.class);
  }

  @Test
  void eachWaitIsAllowedAndNothingElse() {
    run(WatchedPrograms.AllowedWaits.class);
  }

  /** So the other tests can fail. */
  @Test
  void withoutTheIntegrationEachWaitIsRefused() {
    run(WatchedPrograms.RefusedWaits.class);
  }

  private static void run(Class<?> program) {
    OtherJvm.run(
            program,
            "-XX:+AllowRedefinitionToAddDeleteMethods", // BlockHound needs it from JDK 13 on
            "-XX:+EnableDynamicAgentLoading",
            "-Dslf4j.internal.verbosity=ERROR")
        .assertSucceeded();
  }
}
