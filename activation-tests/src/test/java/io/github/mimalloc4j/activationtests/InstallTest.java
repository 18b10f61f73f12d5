package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.agent;
import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.DefaultsOf;
import io.github.mimalloc4j.activationtests.programs.InstallAfterAllocator;
import io.github.mimalloc4j.activationtests.programs.InstallAlone;
import io.github.mimalloc4j.activationtests.programs.InstallFirst;
import io.github.mimalloc4j.activationtests.programs.InstallLate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code MiMalloc.install()} on a plain class path. */
class InstallTest {

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void takesEffectWithoutAnyOption(Jdk jdk) {
    Outcome outcome = program(jdk).run(InstallFirst.class).usesMiMalloc().isQuiet();
    assertThat(outcome.value("installed")).isEqualTo("true");
    assertThat(outcome.value("installed again")).isEqualTo("true");
    assertThat(outcome.value("type")).isEqualTo("null");
  }

  @Test
  void leavesThePropertyThatIsSet() {
    Outcome outcome =
        program(Jdk.DEFAULT).options(Program.CHOSEN).run(InstallFirst.class).usesMiMalloc();
    assertThat(outcome.value("installed")).isEqualTo("true");
    assertThat(outcome.value("type")).isEqualTo(Program.TYPE);
  }

  /** Which is not changed, and would take the pooled allocator for a type of ours. */
  @Test
  void aCopyOfNettyInAnotherClassLoaderKeepsItsDefault() {
    String installing = DefaultsOf.INSTALL_UNSET + "here";
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(List.of(programs()))
            .run(
                DefaultsOf.class,
                installing,
                JarFiles.joined(with(netty(), core(), library())),
                "copy",
                JarFiles.joined(netty()));
    assertThat(outcome.value(installing)).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value(installing + ", installed")).isEqualTo("true");
    assertThat(outcome.value(installing + ", type")).isEqualTo("null");
    assertThat(outcome.value("copy")).isEqualTo("AdaptiveByteBufAllocator");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theAllocatorMayBeInitialisedBefore(Jdk jdk) {
    Outcome outcome = program(jdk).run(InstallAfterAllocator.class).usesMiMalloc().isQuiet();
    assertThat(outcome.value("installed")).isEqualTo("true");
  }

  @Test
  void withoutNettyItOnlyWarns() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(List.of(core(), library(), programs()))
            .run(InstallAlone.class)
            .warnsOnce("io/netty/buffer/ByteBufAllocator");
    assertThat(outcome.value("installed")).isEqualTo("false");
  }

  @Test
  void inANativeImageItOnlyWarns() {
    Outcome outcome =
        program(Jdk.DEFAULT)
            .options("-Dorg.graalvm.nativeimage.imagecode=runtime")
            .run(InstallFirst.class)
            .uses("AdaptiveByteBufAllocator")
            .warnsOnce("native image", "ChannelOption.ALLOCATOR");
    assertThat(outcome.value("installed")).isEqualTo("false");
  }

  @Test
  void obeysThePropertyThatNamesAnotherAllocator() {
    Outcome outcome =
        program(Jdk.DEFAULT)
            .options("-Dio.netty.allocator.type=pooled")
            .run(InstallFirst.class)
            .uses("PooledByteBufAllocator");
    assertThat(outcome.value("installed")).isEqualTo("false");
    assertThat(outcome.value("type")).isEqualTo("pooled");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pooled", "Pooled", "MiMalloc"})
  void warnsOfATypeThatNettyDoesNotKnow(String type) {
    Outcome outcome =
        program(Jdk.DEFAULT)
            .options("-Dio.netty.allocator.type=" + type)
            .run(InstallFirst.class)
            .uses("PooledByteBufAllocator");
    assertThat(outcome.err())
        .contains((type.equals("pooled") ? "INFO" : "WARNING") + ": MiMalloc.install() leaves")
        .contains("-Dio.netty.allocator.type=" + type + " (not mimalloc)");
  }

  @Test
  void knowsThatTheAgentWasThereBeforeThePropertyChanged() {
    Outcome outcome =
        program(Jdk.DEFAULT)
            .agent(agent())
            .options(Program.CHOSEN)
            .run(InstallLate.class, "pooled")
            .usesMiMalloc();
    assertThat(outcome.value("installed")).isEqualTo("true");
    assertThat(outcome.value("installed again")).isEqualTo("true");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void tooLateChangesNothingAndSaysSoOnce(Jdk jdk) {
    Outcome outcome =
        program(jdk)
            .run(InstallLate.class)
            .uses("AdaptiveByteBufAllocator")
            .warnsOnce(
                "ByteBufUtil is loaded already",
                "AdaptiveByteBufAllocator",
                "first line of main",
                "-javaagent");
    assertThat(outcome.value("installed")).isEqualTo("false");
    assertThat(outcome.value("installed again")).isEqualTo("false");
    assertThat(outcome.value("type")).isEqualTo("null");
  }

  @Test
  void withoutTheCoreItChangesNothingAndNamesIt() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(with(netty(), library(), programs()))
            .run(InstallFirst.class)
            .uses("AdaptiveByteBufAllocator")
            .warnsOnce("allocator-core is missing");
    assertThat(outcome.value("installed")).isEqualTo("false");
  }

  private static Program program(Jdk jdk) {
    return Program.on(jdk).classPath(with(netty(), core(), library(), programs()));
  }
}
