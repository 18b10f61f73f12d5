package io.github.mimalloc4j.transporttests;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.uring.IoUring;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Says which transports and TLS engines the other tests left out, since this machine has none. */
class AvailabilityTest {

  /** Containers may forbid io_uring, and old kernels lack it or its buffer rings. */
  @Test
  void whatIsMissingIsTold() throws Exception {
    List<String> missing = new ArrayList<>();
    for (Transport transport : Transport.values()) {
      tell(missing, transport.name(), transport.unavailable());
    }
    if (Transport.available().contains(Transport.IO_URING)) {
      if (!IoUring.isRegisterBufferRingSupported()) {
        missing.add(notRun("IO_URING with buffer rings", "the kernel has none"));
      }
      if (!IoUring.isRegisterBufferRingIncSupported()) {
        missing.add(notRun("IO_URING with incremental buffer rings", "the kernel has none"));
      }
      if (!Transport.sendsWithoutCopy()) {
        missing.add(notRun("IO_URING without copies", "the kernel cannot do that"));
      }
    }
    for (Tls tls : Tls.values()) {
      tell(missing, tls.name(), tls.unavailable());
    }
    Files.write(Path.of(System.getProperty("transports.not.run")), missing);
    assertThat(Transport.available()).contains(Transport.NIO);
    assertThat(Tls.available()).contains(Tls.NONE, Tls.JDK);
  }

  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"})
  void theNativeLibrariesLoad() {
    assertThat(Transport.EPOLL.unavailable()).isNull();
    assertThat(Tls.TCNATIVE.unavailable()).isNull();
  }

  private static void tell(List<String> missing, String name, @Nullable Throwable cause) {
    if (cause != null) {
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      missing.add(notRun(name, cause));
    }
  }

  private static String notRun(String name, Object why) {
    return "transports and TLS: " + name + " was NOT run: " + why;
  }
}
