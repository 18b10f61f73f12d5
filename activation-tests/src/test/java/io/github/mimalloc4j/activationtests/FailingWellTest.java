package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.DefaultOf;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.EchoBesideCopy;
import io.github.mimalloc4j.activationtests.programs.InstallFirst;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where activation cannot be had, Netty stays as it is, and one warning names the cause. */
class FailingWellTest {

  /** What Netty takes for a type that it does not know. */
  private static final String NETTYS_CHOICE = "PooledByteBufAllocator";

  private static final String VERSIONS = "META-INF/io.netty.versions.properties";

  @Test
  void nettyIsTooOldForTheAgent() {
    agent(netty("tooOld"))
        .run(Echo.class)
        .uses(NETTYS_CHOICE)
        .warnsOnce("netty-buffer is version 4.1.", "4.2.12 or newer is needed");
  }

  @Test
  void nettyIsTooOldToInstall() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(with(netty("tooOld"), core(), library(), programs()))
            .run(InstallFirst.class)
            .uses(NETTYS_CHOICE)
            .warnsOnce("netty-buffer is version 4.1.", "4.2.12 or newer is needed");
    assertThat(outcome.value("installed")).isEqualTo("false");
  }

  /** As in repackaged applications, of which nothing tells the version. */
  @Test
  void aTooOldNettyIsFoundOutByItsMethods() {
    List<Path> unversioned =
        netty("tooOld").stream().map(j -> ChangedJars.without(j, VERSIONS::equals)).toList();
    agent(unversioned)
        .run(Echo.class)
        .uses(NETTYS_CHOICE)
        .warnsOnce("the allocator cannot be used");
  }

  @Test
  void nettysClassIsNotAsExpectedByTheAgent() {
    agent(changedNetty())
        .run(Echo.class)
        .uses(NETTYS_CHOICE)
        .warnsOnce("ByteBufUtil is not as expected", "its method utf8MaxBytes");
  }

  @Test
  void nettysClassIsNotAsExpectedWhenInstalling() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(with(changedNetty(), core(), library(), programs()))
            .run(InstallFirst.class)
            .uses("AdaptiveByteBufAllocator")
            .warnsOnce("ByteBufUtil is not as expected", "its method utf8MaxBytes");
    assertThat(outcome.value("installed")).isEqualTo("false");
    assertThat(outcome.value("type")).isEqualTo("null");
  }

  @Test
  void nettyIsRelocated() {
    String nettysPackage = "io.grpc.netty.shaded.io.netty.buffer";
    Outcome outcome =
        agent(netty("relocated"))
            .run(DefaultOf.class, nettysPackage)
            .warnsOnce(nettysPackage + ".ByteBufUtil is a relocated copy of Netty");
    // Even the property has another name there.
    assertThat(outcome.value("default")).isEqualTo("AdaptiveByteBufAllocator");
  }

  /** What cannot be had for the copy is no reason not to have it for Netty. */
  @Test
  void aRelocatedCopyStandsBesideNetty() {
    agent(with(netty("relocated"), netty().toArray(Path[]::new)))
        .run(EchoBesideCopy.class, "io.grpc.netty.shaded.io.netty.buffer")
        .usesMiMalloc()
        .warnsOnce("is a relocated copy of Netty");
  }

  /**
   * The allocator's own initialisation fails, in the middle of that of Netty's class. What is
   * missing is not the class by which the agent finds out whether there is a core.
   */
  @Test
  void aClassOfTheLibraryIsMissing() {
    Path broken =
        ChangedJars.without(core(), "io/github/mimalloc4j/core/memory/SegmentPool.class"::equals);
    agent(with(netty(), broken, library()))
        .run(Echo.class)
        .uses(NETTYS_CHOICE)
        .warnsOnce("the allocator cannot be used");
  }

  /** The agent's jar was taken apart: there is nothing to define in Netty's class loader. */
  @Test
  void theAgentHasNoCore() {
    Path broken = ChangedJars.without(library(), "META-INF/mimalloc4j/allocator-core.jar"::equals);
    Program.on(Jdk.DEFAULT)
        .agent(broken)
        .options(Program.CHOSEN)
        .classPath(with(netty(), programs()))
        .run(Echo.class)
        .uses(NETTYS_CHOICE)
        .warnsOnce("the agent's jar has no classes of the library");
  }

  private static List<Path> changedNetty() {
    return netty().stream()
        .map(
            jar ->
                jar.getFileName().toString().startsWith("netty-buffer-")
                    ? ChangedJars.withOneMoreUse(jar)
                    : jar)
        .toList();
  }

  private static Program agent(List<Path> jars) {
    return Program.on(Jdk.DEFAULT)
        .agent(library())
        .options(Program.CHOSEN)
        .classPath(with(jars, programs()));
  }
}
