package io.github.mimalloc4j.netty.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The public API is what {@code public-api.txt} says. Whoever changes it on purpose changes the
 * file, in the same commit, and the changelog.
 */
class PublicApiTest {

  private static final String SAMPLE = "PublicApiSample$";

  @Test
  void isAsWrittenDown() throws IOException {
    List<String> actual =
        PublicApi.ofModulesOf(MemoryStatistics.class, MiMallocByteBufAllocator.class);
    assertThat(actual)
        .as("public-api.txt should read%n%s%n", String.join("\n", actual))
        .isEqualTo(writtenDown());
  }

  @Test
  void theListHasWhatAProgramCanSee() {
    assertThat(PublicApi.of(PublicApiSample.Visible.class))
        .containsExactly(
            "protected abstract static class $Visible extends $Hidden implements java.lang.Runnable"
                .replace("$", SAMPLE),
            "  protected $Visible(int)".replace("$", SAMPLE),
            "  public static final int $Visible.CONSTANT".replace("$", SAMPLE),
            "  public void $Hidden.inherited()".replace("$", SAMPLE),
            "  public void $Visible.run()".replace("$", SAMPLE));
  }

  @Test
  void theListHasNothingElse() {
    assertThat(PublicApi.of(PublicApiSample.Hidden.class)).isEmpty();
    assertThat(PublicApi.of(new Object() {}.getClass())).isEmpty();
    assertThat(PublicApi.of(PublicApi.class)).isEmpty();
  }

  private static List<String> writtenDown() throws IOException {
    try (InputStream in = PublicApiTest.class.getResourceAsStream("/public-api.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
