package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.CommandLines;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

class EndToEndOptionsTest {
  private static final String NOTHING_INSTALLED = "";

  @TempDir private Path folder;

  @Test
  void usualRun() {
    EndToEndCommand command = parse("");

    assertThat(command.allocators.kinds())
        .containsExactly(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE, AllocatorKind.POOLED);
    assertThat(command.load(command.tool(NOTHING_INSTALLED)))
        .isEqualTo(new EndToEndResults.Load("own", LoadTool.OWN.work, 10, 5, 2, 32, false));
    assertThat(command.output).isEqualTo(Path.of("end-to-end.json"));
  }

  @Test
  void optionsAreRead() {
    Path output = folder.resolve("out.json");
    EndToEndCommand command =
        parse(
            "--allocator pooled,unpooled --seconds 3 --rounds 2 --warmup 0 --connections 7"
                + " --load own --tls --output "
                + output);

    assertThat(command.allocators.kinds())
        .containsExactly(AllocatorKind.POOLED, AllocatorKind.UNPOOLED);
    assertThat(command.load(command.tool(NOTHING_INSTALLED)))
        .isEqualTo(new EndToEndResults.Load("own", LoadTool.OWN.work, 3, 2, 0, 7, true));
    assertThat(command.output).isEqualTo(output);
  }

  @Test
  void installedToolIsPreferred() throws Exception {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    String path = first + File.pathSeparator + second;

    install(second.resolve("h2load"));
    assertThat(parse("").tool(path)).isEqualTo(LoadTool.H2LOAD);
    install(first.resolve("wrk"));
    assertThat(parse("").tool(path)).isEqualTo(LoadTool.WRK);
    assertThat(parse("--load h2load").tool(path)).isEqualTo(LoadTool.H2LOAD);
    assertThat(parse("--load=own").tool(path)).isEqualTo(LoadTool.OWN);
  }

  private static void install(Path program) throws IOException {
    Files.createFile(program);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--allocator jemalloc | Invalid value for option '--allocator': expected all, or some of"
            + " [mimalloc",
        "--seconds 0 | --seconds must be a whole number from 1 to 3600, not '0'",
        "--rounds x | Invalid value for option '--rounds': 'x' is not an int",
        "--warmup -1 | --warmup must be a whole number from 0 to 1000, not '-1'",
        "--connections 0 | --connections must be a whole number from 1 to 10000, not '0'",
        "--load ab | Invalid value for option '--load': expected one of [OWN, WRK, H2LOAD]",
        "--load wrk | --load wrk: not found on the PATH",
        "--tls=yes | Invalid value for option '--tls'",
        "--output no/such/folder/out.json | Invalid value for option '--output':"
            + " 'no/such/folder/out.json' cannot be",
        "--fast | Unknown option: '--fast'",
      })
  void senselessOptionsAreExplained(String words, String message) {
    assertThatThrownBy(() -> parse(words).tool(NOTHING_INSTALLED))
        .isInstanceOf(ParameterException.class)
        .hasMessageStartingWith(message);
  }

  private static EndToEndCommand parse(String words) {
    String[] args = words.isEmpty() ? new String[0] : words.split(" ");
    return CommandLines.parse(new EndToEndCommand(), args);
  }
}
