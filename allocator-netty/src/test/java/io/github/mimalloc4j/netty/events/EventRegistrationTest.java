package io.github.mimalloc4j.netty.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.support.AllocatorLog;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Test;

class EventRegistrationTest {

  @Test
  void theClassPathIsPermanent() {
    assertThat(EventRegistration.isPermanent(ClassLoader.getSystemClassLoader())).isTrue();
    assertThat(EventRegistration.isPermanent(ClassLoader.getPlatformClassLoader())).isTrue();
    assertThat(EventRegistration.isPermanent(null)).isTrue();
  }

  /** The recording of the application that begins just then must not fail. */
  @Test
  void aFailureIsLogged() {
    try (AllocatorLog log = new AllocatorLog()) {
      new EventRegistration(List.of(NotConcrete.class))
          .recorderInitialized(FlightRecorder.getFlightRecorder());
      assertThat(log.records())
          .singleElement()
          .satisfies(entry -> assertThat(entry.getThrown()).isNotNull());
    }
  }

  /** Flight Recorder registers no abstract class. */
  abstract static class NotConcrete extends Event {}

  @Test
  void aProgramsOwnClassLoaderIsNot() throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new URL[0])) {
      assertThat(EventRegistration.isPermanent(loader)).isFalse();
    }
  }
}
