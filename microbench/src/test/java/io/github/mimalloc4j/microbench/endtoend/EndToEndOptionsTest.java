package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.application.Transport;
import io.github.mimalloc4j.microbench.application.Workload;
import io.github.mimalloc4j.microbench.application.Workloads;
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

  private static final Workload PLAINTEXT = Workloads.named("plaintext:single").get(0);
  private static final Workload RESP = Workloads.named("resp:lrange").get(0);

  @TempDir private Path folder;

  @Test
  void usualRunEndsWithinTenMinutes() {
    EndToEndCommand command = parse("");

    assertThat(command.workloads.all()).isEqualTo(Workloads.named("plaintext:pipelined"));
    assertThat(command.allocators.names()).containsExactly("MIMALLOC", "ADAPTIVE", "POOLED");
    assertThat(command.transport).isEqualTo(Transport.NIO);
    assertThat(command.eventLoops).isEqualTo(1);
    assertThat(command.connections).isEqualTo(32);
    assertThat(command.output).isEqualTo(Path.of("end-to-end.json"));
    int startsOfServers = 30;
    assertThat(command.jvms * 3 * (command.warmup + 2 * command.seconds) + startsOfServers)
        .isLessThanOrEqualTo(600);
  }

  @Test
  void optionsAreRead() {
    Path output = folder.resolve("out.json");
    EndToEndCommand command =
        parse(
            "--app resp,plaintext:single --allocator pooled,Unpooled --seconds 3 --jvms 2 --warmup 1"
                + " --connections 7 --transport epoll --event-loops 4 --output "
                + output);

    assertThat(command.workloads.all()).isEqualTo(Workloads.named("resp,plaintext:single"));
    assertThat(command.allocators.names()).containsExactly("POOLED", "UNPOOLED");
    assertThat(command.seconds).isEqualTo(3);
    assertThat(command.jvms).isEqualTo(2);
    assertThat(command.warmup).isEqualTo(1);
    assertThat(command.connections).isEqualTo(7);
    assertThat(command.transport).isEqualTo(Transport.EPOLL);
    assertThat(command.eventLoops).isEqualTo(4);
    assertThat(command.output).isEqualTo(output);
    assertThat(parse("--app all").workloads.all()).isEqualTo(Workloads.ALL);
  }

  @Test
  void anyOtherAllocatorIsNamedByItsClass() {
    String name = "io.netty.buffer.UnpooledByteBufAllocator";
    EndToEndCommand command = parse("--allocator mimalloc,bare," + name);

    assertThat(command.allocators.names()).containsExactly("MIMALLOC", "BARE", name);
  }

  @Test
  void installedToolIsPreferred() throws Exception {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    String path = first + File.pathSeparator + second;

    assertThat(parse("").tool(PLAINTEXT, path)).isNull();
    install(second.resolve("wrk"));
    assertThat(parse("").tool(PLAINTEXT, path).program()).isEqualTo("wrk");
    assertThat(parse("--load tool").tool(PLAINTEXT, path).program()).isEqualTo("wrk");
    assertThat(parse("--load=own").tool(PLAINTEXT, path)).isNull();
    assertThat(parse("").tool(RESP, path)).as("which wrk cannot load").isNull();
    install(first.resolve("redis-benchmark"));
    assertThat(parse("").tool(RESP, path).program()).isEqualTo("redis-benchmark");
  }

  private static void install(Path program) throws IOException {
    Files.createFile(program);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--app plain | Invalid value for option '--app': expected all, or some of [http:mix,",
        "--app resp,resp:lrange | Invalid value for option '--app': resp:lrange is named twice",
        "--allocator jemalloc | Invalid value for option '--allocator': allocator jemalloc is none"
            + " of [MIMALLOC,",
        "--allocator java.lang.String | Invalid value for option '--allocator': allocator"
            + " java.lang.String does not implement io.netty",
        "--allocator pooled,POOLED | Invalid value for option '--allocator': POOLED is named twice",
        "--allocator bare,BARE | Invalid value for option '--allocator': BARE is named twice",
        "--seconds 0 | --seconds must be a whole number from 1 to 3600, not '0'",
        "--jvms x | Invalid value for option '--jvms': 'x' is not an int",
        "--warmup 0 | --warmup must be a whole number from 1 to 3600, not '0'",
        "--connections 0 | --connections must be a whole number from 1 to 10000, not '0'",
        "--event-loops 0 | --event-loops must be a whole number from 1 to 1024, not '0'",
        "--transport oio | Invalid value for option '--transport': expected one of [NIO, EPOLL]",
        "--load wrk | Invalid value for option '--load': expected one of [OWN, TOOL]",
        "--load tool | --load tool: no tool for plaintext:single found on the PATH: wrk",
        "--tls | Unknown option: '--tls'",
        "--output no/such/folder/out.json | Invalid value for option '--output':"
            + " 'no/such/folder/out.json' cannot be",
        "--fast | Unknown option: '--fast'",
      })
  void senselessOptionsAreExplained(String words, String message) {
    assertThatThrownBy(() -> parse(words).tool(PLAINTEXT, NOTHING_INSTALLED))
        .isInstanceOf(ParameterException.class)
        .hasMessageStartingWith(message);
  }

  private static EndToEndCommand parse(String words) {
    String[] args = words.isEmpty() ? new String[0] : words.split(" ");
    return CommandLines.parse(new EndToEndCommand(), args);
  }
}
