package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RequestMixTest {
  /** {@code SMALLEST * 2^(1/1.2)}. */
  private static final int MEDIAN = 1824;

  @Test
  void halfHaveBodiesOfTheSizesOfAnHttpService() {
    int[] sizes = RequestMix.draw();
    int[] bodies =
        Arrays.stream(sizes).filter(size -> size != RequestMix.NO_BODY).sorted().toArray();

    assertThat(bodies.length).isBetween(sizes.length * 48 / 100, sizes.length * 52 / 100);
    assertThat(bodies[0]).isBetween(RequestMix.SMALLEST, RequestMix.SMALLEST + 10);
    assertThat(bodies[bodies.length / 2]).isBetween(MEDIAN * 95 / 100, MEDIAN * 105 / 100);
    assertThat(bodies[bodies.length - 1]).isBetween(1 << 20, RequestMix.LARGEST);
    assertThat(Arrays.stream(bodies).average().orElse(0)).isBetween(4000.0, 6500.0);
  }

  @Test
  void bodiesAreThoseOfTheDataFile() throws Exception {
    String file = "/io/github/mimalloc4j/microbench/workload/http-service.sizes";
    try (InputStream in = Objects.requireNonNull(RequestMix.class.getResourceAsStream(file))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines())
          .containsOnlyOnce(RequestMix.BODIES + ":120");
    }
  }

  @Test
  void isTheSameEachTime() {
    assertThat(RequestMix.draw()).isEqualTo(RequestMix.draw());
  }
}
