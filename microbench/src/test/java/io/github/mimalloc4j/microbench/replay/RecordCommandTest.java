package io.github.mimalloc4j.microbench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.command.CommandRun;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import jdk.jfr.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordCommandTest {
  @TempDir private Path folder;

  @Test
  void pathsThatAShellWouldTakeApartAreQuoted() throws Exception {
    Path output = Files.createDirectory(folder.resolve("o'neil's (app)")).resolve("netty.jfc");

    CommandRun run = CommandRun.of(new RecordCommand(), "--output", output.toString());

    String settings = output.toString().replace("'", "'\\''");
    String recording = settings.replace("netty.jfc", "prod.jfr");
    assertThat(run.out())
        .contains("'settings=\"" + settings + "\"' 'filename=\"" + recording + "\"'")
        .contains("replay '" + recording + "'");
  }

  @Test
  void settingsAreWrittenAndTheCommandIsTold() throws Exception {
    Path output = folder.resolve("netty.jfc");

    CommandRun run = CommandRun.of(new RecordCommand(), "--output", output.toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("jcmd PID JFR.start settings=" + output + " filename=" + folder)
        .contains("replay " + folder.resolve("prod.jfr"));
    try (Reader reader = Files.newBufferedReader(output)) {
      Map<String, String> settings = Configuration.create(reader).getSettings();
      for (String event : new String[] {"AllocateBuffer", "FreeBuffer", "ReallocateBuffer"}) {
        assertThat(settings)
            .containsEntry("io.netty." + event + "#enabled", "true")
            .containsEntry("io.netty." + event + "#stackTrace", "false");
      }
      assertThat(settings).containsEntry("jdk.CPULoad#enabled", "true");
    }
  }
}
