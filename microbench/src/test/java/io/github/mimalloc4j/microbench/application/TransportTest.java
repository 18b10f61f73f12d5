package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TransportTest {
  /**
   * With an older native library than the classes, too: newer ones are not published everywhere.
   */
  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"})
  void epollIsAvailableOnLinux() {
    assertThat(Epoll.unavailabilityCause()).isNull();
    assertThat(Transport.EPOLL.isAvailable()).isTrue();
  }
}
