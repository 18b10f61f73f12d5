package io.github.mimalloc4j.netty.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NettyRuntime;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is derived from the options. */
class SettingsTest {

  @Test
  void threadsShareTwoHeapsPerProcessorUnlessTheOptionSaysHowMany() {
    assertThat(new Settings(Map.of()).maxSharedThreadHeaps())
        .isEqualTo(2 * NettyRuntime.availableProcessors());
    for (long heaps : new long[] {1, 3, 1 << 16}) {
      assertThat(
              new Settings(Map.of(Options.MAX_SHARED_THREAD_HEAPS, heaps)).maxSharedThreadHeaps())
          .isEqualTo((int) heaps);
    }
  }
}
