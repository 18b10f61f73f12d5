package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.agent;
import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.OwnAllocator;
import io.netty.buffer.ByteBufAllocator;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dio.netty.bootstrap.extensions=serviceload}. */
class ExtensionTest {

  private static final String DEFAULT = ByteBufAllocator.DEFAULT.getClass().getSimpleName();

  private static final String EXTENSIONS = "-Dio.netty.bootstrap.extensions=serviceload";

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void replacesTheDefaultOfChannelsAndNothingElse(Jdk jdk) {
    Outcome outcome = program(jdk).options(EXTENSIONS, Program.CHOSEN).run(Echo.class);
    assertThat(outcome.value("client")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("server")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("server child")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("echoed")).isEqualTo("true");
    // What Netty takes for a type that it does not know.
    assertThat(outcome.value("default")).isEqualTo("PooledByteBufAllocator");
    assertThat(outcome.value("embedded")).isEqualTo("PooledByteBufAllocator");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void leavesAnAllocatorThatTheApplicationChose(Jdk jdk) {
    Outcome outcome = program(jdk).options(EXTENSIONS, Program.CHOSEN).run(OwnAllocator.class);
    assertThat(outcome.value("server child")).isEqualTo("UnpooledByteBufAllocator");
    assertThat(outcome.value("client")).isEqualTo("MiMallocByteBufAllocator");
  }

  @Test
  void obeysThePropertyThatNamesAnotherAllocator() {
    program(Jdk.DEFAULT)
        .options(EXTENSIONS, "-Dio.netty.allocator.type=pooled")
        .run(Echo.class)
        .uses("PooledByteBufAllocator");
  }

  /** Extensions may have been switched on for another library's sake. */
  @Test
  void withoutThePropertyNothingIsReplaced() {
    program(Jdk.DEFAULT).options(EXTENSIONS).run(Echo.class).uses(DEFAULT);
  }

  /** A channel comes up whatever happens to the allocator. */
  @Test
  void anAllocatorThatFailsIsNotUsed() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(
                with(
                    netty(),
                    ChangedJars.without(
                        core(), "io/github/mimalloc4j/core/memory/SegmentPool.class"::equals),
                    library(),
                    programs()))
            .options(EXTENSIONS, Program.CHOSEN)
            .run(Echo.class)
            .uses("PooledByteBufAllocator");
    assertThat(outcome.err()).containsOnlyOnce("channels keep Netty's");
  }

  /** Of the methods that only buffers call, one has another name in this Netty. */
  @Test
  void anAllocatorThatDoesNotFitThisNettyIsNotUsed() {
    String method = "hasDirectByteBufferAddress";
    List<Path> changed =
        ChangedJars.renamed(netty(), "netty-", method, method.toUpperCase(Locale.ROOT));
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(with(changed, core(), library(), programs()))
            .options(EXTENSIONS, Program.CHOSEN, "-Dio.netty.noUnsafe=true")
            .run(Echo.class)
            .uses("PooledByteBufAllocator");
    assertThat(outcome.err())
        .containsOnlyOnce("channels keep Netty's")
        .contains("NoSuchMethodError", method);
  }

  @Test
  void aTypeOfNettysOwnIsLeftAlone() {
    List<Path> withOwnType = ChangedJars.netty(jar -> ChangedJars.withOwnType(jar, Program.TYPE));
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(with(withOwnType, core(), library(), programs()))
            .options(EXTENSIONS, Program.CHOSEN)
            .run(Echo.class);
    assertThat(outcome.value("client")).isEqualTo("UnpooledByteBufAllocator");
  }

  @Test
  void agreesWithTheAgent() {
    program(Jdk.DEFAULT)
        .agent(agent())
        .options(EXTENSIONS, Program.CHOSEN)
        .run(Echo.class)
        .usesMiMalloc();
  }

  private static Program program(Jdk jdk) {
    return Program.on(jdk).classPath(with(netty(), core(), library(), programs()));
  }
}
