package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.UsageException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndToEndOptionsTest {
  private static final String NOTHING_INSTALLED = "";

  @TempDir private Path folder;

  @Test
  void defaultsAreThoseOfTheSynopsis() throws Exception {
    assertThat(EndToEndOptions.parse(List.of(), NOTHING_INSTALLED))
        .isEqualTo(
            new EndToEndOptions(
                List.of(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE, AllocatorKind.POOLED),
                Duration.ofSeconds(10),
                5,
                2,
                32,
                LoadTool.OWN,
                false,
                Path.of("end-to-end.json")));
    assertThat(EndToEndOptions.SYNOPSIS)
        .contains(
            "all",
            "--seconds 10",
            "--rounds 5",
            "--warmup 2",
            "--connections 32",
            "end-to-end.json");
  }

  @Test
  void optionsAreRead() throws Exception {
    Path output = folder.resolve("out.json");
    String words =
        "--allocator pooled,unpooled --seconds 3 --rounds 2 --warmup 0 --connections 7 --load own --tls"
            + " --output "
            + output;

    assertThat(EndToEndOptions.parse(Arrays.asList(words.split(" ")), NOTHING_INSTALLED))
        .isEqualTo(
            new EndToEndOptions(
                List.of(AllocatorKind.POOLED, AllocatorKind.UNPOOLED),
                Duration.ofSeconds(3),
                2,
                0,
                7,
                LoadTool.OWN,
                true,
                output));
  }

  @Test
  void installedToolIsPreferred() throws Exception {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    String path = first + File.pathSeparator + second;

    install(second.resolve("h2load"));
    assertThat(EndToEndOptions.parse(List.of(), path).tool()).isEqualTo(LoadTool.H2LOAD);
    install(first.resolve("wrk"));
    assertThat(EndToEndOptions.parse(List.of(), path).tool()).isEqualTo(LoadTool.WRK);
    assertThat(EndToEndOptions.parse(List.of("--load", "h2load"), path).tool())
        .isEqualTo(LoadTool.H2LOAD);
    assertThat(EndToEndOptions.parse(List.of("--load=own"), path).tool()).isEqualTo(LoadTool.OWN);
  }

  private static void install(Path program) throws IOException {
    Files.createFile(program);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--allocator jemalloc | --allocator must be all, or some of mimalloc",
        "--seconds 0 | --seconds must be a whole number from 1 to 3600, not '0'",
        "--rounds x | --rounds must be a whole number from 1 to 1000, not 'x'",
        "--warmup -1 | --warmup must be a whole number from 0 to 1000, not '-1'",
        "--connections 0 | --connections must be a whole number from 1 to 10000, not '0'",
        "--load ab | --load must be one of own, wrk, h2load, not 'ab'",
        "--load wrk | --load wrk: not found on the PATH",
        "--tls=yes | --tls takes no value",
        "--output no/such/folder/out.json | --output no/such/folder/out.json cannot be written",
        "--fast | unknown option --fast",
      })
  void senselessOptionsAreExplained(String words, String message) {
    assertThatThrownBy(
            () -> EndToEndOptions.parse(Arrays.asList(words.split(" ")), NOTHING_INSTALLED))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(message);
  }
}
