package io.github.mimalloc4j.microbench.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SamplerTest {
  @Test
  void samplesAreThoseOfTheThreadAndThoseAskedFor() throws Exception {
    CountDownLatch ticks = new CountDownLatch(3);
    long began = System.nanoTime();
    try (Sampler<Long> sampler =
        new Sampler<>(
            Duration.ofMillis(1),
            micros -> {
              ticks.countDown();
              return micros;
            })) {
      ticks.await();
      assertThat(sampler.threadId()).isNotEqualTo(Thread.currentThread().getId());

      List<Long> first = sampler.take();
      long asked = sampler.sample();
      List<Long> second = sampler.take();

      assertThat(first).hasSizeGreaterThanOrEqualTo(4).isSorted();
      assertThat(second).contains(asked).isSorted();
      assertThat(first.get(first.size() - 1) + asked)
          .as("time begins anew")
          .isLessThanOrEqualTo((System.nanoTime() - began) / 1000);
    }
  }

  @Test
  void whatEndsTheSamplingIsTold() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    try (Sampler<Long> sampler =
        new Sampler<>(
            Duration.ofMillis(1),
            micros -> {
              if (!failed.getAndSet(true)) {
                throw new IOException("planted");
              }
              return micros;
            })) {
      sampler.threadId(); // after the first tick
      assertThatThrownBy(sampler::take)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("the sampling has ended", "planted");
    }
  }
}
