package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.AttachLate;
import io.github.mimalloc4j.activationtests.programs.DefaultOf;
import io.github.mimalloc4j.activationtests.programs.DefaultsOf;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.EchoBesideCopy;
import io.github.mimalloc4j.activationtests.programs.InstallFirst;
import io.github.mimalloc4j.activationtests.programs.InstallWithoutPermission;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where activation cannot be had, Netty takes the allocator that it has without this library and
 * without the property, and one warning names the cause.
 */
class FailingWellTest {

  /** Of the Netty that the tests run with: in their own JVM nothing is activated. */
  private static final String DEFAULT = ByteBufAllocator.DEFAULT.getClass().getSimpleName();

  /** Of the Netty that is too old. */
  private static final String OLD_DEFAULT = "PooledByteBufAllocator";

  private static final String VERSIONS = "META-INF/io.netty.versions.properties";

  @Test
  void nettyIsTooOldForTheAgent() {
    agent(netty("tooOld"))
        .run(Echo.class)
        .uses(OLD_DEFAULT)
        .warnsOnce("netty-buffer is version 4.1.", "4.1.118 or newer is needed");
  }

  @Test
  void nettyIsTooOldToInstall() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(with(netty("tooOld"), core(), library(), programs()))
            .run(InstallFirst.class)
            .uses(OLD_DEFAULT)
            .warnsOnce(
                "The allocator is not activated, Netty stays as it is: netty-buffer is version",
                "4.1.118 or newer is needed");
    assertThat(outcome.value("installed")).isEqualTo("false");
  }

  /** As in repackaged applications, of which nothing tells the version. */
  @Test
  void aTooOldNettyIsFoundOutByItsMethods() {
    agent(unversionedNetty())
        .run(Echo.class)
        .uses(OLD_DEFAULT)
        .warnsOnce("the allocator cannot be used");
  }

  @Test
  void nettysClassIsNotAsExpectedByTheAgent() {
    agent(changedNetty())
        .run(Echo.class)
        .uses(DEFAULT)
        .warnsOnce("ByteBufUtil is not as expected", "its method utf8MaxBytes");
  }

  @Test
  void nettysClassIsNotAsExpectedWhenInstalling() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(with(changedNetty(), core(), library(), programs()))
            .run(InstallFirst.class)
            .uses(DEFAULT)
            .warnsOnce("ByteBufUtil is not as expected", "its method utf8MaxBytes");
    assertThat(outcome.value("installed")).isEqualTo("false");
    assertThat(outcome.value("type")).isEqualTo("null");
  }

  /** Until JDK 24, which has no security manager. */
  @Test
  void aSecurityManagerForbidsSettingTheProperty() {
    Outcome outcome = installForbidden("write").uses(DEFAULT);
    assertThat(outcome.value("installed")).isEqualTo("false");
    assertThat(outcome.err()).containsOnlyOnce("The allocator is not activated");
  }

  /** Then nothing says that another allocator was chosen. */
  @Test
  void aSecurityManagerForbidsReadingTheProperty() {
    Outcome outcome = installForbidden("read").usesMiMalloc();
    assertThat(outcome.value("installed")).isEqualTo("true");
  }

  /** What the policy says nothing of is forbidden, as it is for the agent. */
  @ParameterizedTest
  @ValueSource(strings = {"", "permission java.util.PropertyPermission \"*\", \"read\";"})
  void aSecurityManagerForbidsWhatTheAgentDoes(String permissions) throws IOException {
    assumeSecurityManager();
    List<String> policy = new ArrayList<>(List.of("grant { " + permissions + " };"));
    for (Path entry : with(netty(), programs())) {
      policy.add(
          "grant codeBase \"%s\" { permission java.security.AllPermission; };"
              .formatted(entry.toUri()));
    }
    Path file = Files.createTempFile(JarFiles.workFolder(), "agent", ".policy");
    Files.write(file, policy);
    Outcome outcome =
        agent(netty())
            .options("-Djava.security.manager", "-Djava.security.policy==" + file)
            .run(DefaultOf.class, "io.netty.buffer");
    assertThat(outcome.err())
        .contains("mimalloc4j: the a", "java.security.AccessControlException: access denied");
    assertThat(outcome.value("default"))
        .as("for a type that Netty does not know")
        .isEqualTo("PooledByteBufAllocator");
  }

  private static void assumeSecurityManager() {
    assumeTrue(Runtime.version().feature() < 24, "this JDK has no security manager");
  }

  private static Outcome installForbidden(String action) {
    assumeSecurityManager();
    return Program.on(Jdk.DEFAULT)
        .options("-Djava.security.manager=allow")
        .classPath(with(netty(), core(), library(), programs()))
        .run(InstallWithoutPermission.class, action);
  }

  /** Of the methods that only buffers call, one has another name in this Netty. */
  @Test
  void nettyLacksAMethodThatBuffersCall() {
    String method = "hasDirectByteBufferAddress";
    Outcome outcome =
        agent(ChangedJars.renamed(netty(), "netty-", method, method.toUpperCase(Locale.ROOT)))
            .options("-Dio.netty.noUnsafe=true")
            .run(Echo.class)
            .uses(DEFAULT);
    assertThat(outcome.err())
        .containsOnlyOnce("the allocator cannot be used; Netty stays as it is.")
        .contains("NoSuchMethodError", method);
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
    agent(with(netty(), brokenCore(), library()))
        .run(Echo.class)
        .uses(DEFAULT)
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
        .uses(DEFAULT)
        .warnsOnce("the agent's jar has no classes of the library");
  }

  @Test
  void theAgentHasNoLibrary() {
    Path broken =
        ChangedJars.without(JarFiles.agent(), "META-INF/mimalloc4j/allocator-netty.jar"::equals);
    Program.on(Jdk.DEFAULT)
        .agent(broken)
        .options(Program.CHOSEN)
        .classPath(with(netty(), programs()))
        .run(Echo.class)
        .uses(DEFAULT)
        .warnsOnce("the agent's jar cannot be read");
  }

  /** The application's library would be asked for what it does not have. */
  @Test
  void theApplicationHasAnotherVersionOfTheLibrary() {
    agent(with(netty(), core(), ChangedJars.withAnotherHolder(library())))
        .run(Echo.class)
        .uses(DEFAULT)
        .warnsOnce("the application has another version of this library");
  }

  /** Netty's class is loaded, but has not chosen yet. */
  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theAgentComesTooLate(Jdk jdk) {
    Program.on(jdk)
        .options(Program.CHOSEN, "-Djdk.attach.allowAttachSelf", "-XX:+EnableDynamicAgentLoading")
        .classPath(with(netty(), programs()))
        .run(AttachLate.class, JarFiles.agent().toString())
        .uses(DEFAULT)
        .warnsOnce("it was loaded before this agent");
  }

  /** A name that Netty knows means Netty's allocator: whoever chose it has it. */
  @Test
  void nettyHasATypeOfThisName() {
    Outcome outcome =
        agent(nettyWithOwnType())
            .run(DefaultOf.class, "io.netty.buffer")
            .warnsOnce("an allocator of its own by the name mimalloc", "MiMallocByteBufAllocator");
    assertThat(outcome.value("default")).isEqualTo("UnpooledByteBufAllocator");
  }

  @Test
  void nettyHasATypeOfThisNameWhenInstalling() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(with(nettyWithOwnType(), core(), library(), programs()))
            .run(InstallFirst.class)
            .uses(DEFAULT)
            .warnsOnce("an allocator of its own by the name mimalloc", "MiMallocByteBufAllocator");
    assertThat(outcome.value("installed")).isEqualTo("false");
  }

  /** The library changed Netty's class, but the outcome is another one. */
  @Test
  void nettyChoosesAnotherAllocatorAllTheSame() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(
                with(ChangedJars.netty(ChangedJars::withOwnMind), core(), library(), programs()))
            .run(InstallFirst.class)
            .warnsOnce(
                "Netty chose an allocator of its own, io.netty.buffer.UnpooledByteBufAllocator");
    assertThat(outcome.value("default")).isEqualTo("UnpooledByteBufAllocator");
    assertThat(outcome.value("installed")).isEqualTo("false");
    assertThat(outcome.value("installed again")).isEqualTo("false");
  }

  /** The other ways in which installing goes wrong, with the property, in one JVM. */
  @Test
  void installingFailsAndThePropertyIsSet() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .classPath(List.of(programs()))
            .run(
                DefaultsOf.class,
                "install without core",
                JarFiles.joined(with(netty(), library())),
                "install broken core",
                JarFiles.joined(with(netty(), brokenCore(), library())),
                "install too old",
                JarFiles.joined(with(netty("tooOld"), core(), library())),
                "install changed",
                JarFiles.joined(with(changedNetty(), core(), library())),
                "install own type",
                JarFiles.joined(with(nettyWithOwnType(), core(), library())),
                "install good",
                JarFiles.joined(with(netty(), core(), library())));
    assertThat(outcome.value("install without core")).isEqualTo(DEFAULT);
    assertThat(outcome.value("install broken core")).isEqualTo(DEFAULT);
    assertThat(outcome.value("install too old")).isEqualTo(OLD_DEFAULT);
    assertThat(outcome.value("install changed")).isEqualTo(DEFAULT);
    assertThat(outcome.value("install own type")).isEqualTo("UnpooledByteBufAllocator");
    assertThat(outcome.value("install good")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("install good, installed")).isEqualTo("true");
    for (String refused : List.of("without core", "broken core", "too old", "changed")) {
      assertThat(outcome.value("install " + refused + ", type")).as(refused).isEqualTo("null");
      assertThat(outcome.value("install " + refused + ", installed"))
          .as(refused)
          .isEqualTo("false");
    }
  }

  /** The property is one for the whole JVM; a Netty that is refused takes it from no other. */
  @Test
  void aNettyThatIsRefusedStandsBesideAnother() {
    Outcome outcome =
        copies(
                "changed",
                JarFiles.joined(changedNetty()),
                "good",
                JarFiles.joined(netty()),
                "too old",
                JarFiles.joined(netty("tooOld")),
                "good again",
                JarFiles.joined(netty()))
            .warnsOnce("ByteBufUtil is not as expected");
    assertThat(outcome.value("changed")).isEqualTo(DEFAULT);
    assertThat(outcome.value("good")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("too old")).isEqualTo(OLD_DEFAULT);
    assertThat(outcome.value("good again")).isEqualTo("MiMallocByteBufAllocator");
  }

  /** As above, but this one is found out when it is initialised. */
  @Test
  void aNettyThatIsFoundOutLateStandsBesideAnother() {
    Outcome outcome =
        copies("too old", JarFiles.joined(unversionedNetty()), "good", JarFiles.joined(netty()))
            .warnsOnce("the allocator cannot be used");
    assertThat(outcome.value("too old")).isEqualTo(OLD_DEFAULT);
    assertThat(outcome.value("good")).isEqualTo("MiMallocByteBufAllocator");
  }

  /** Otherwise Vert.x would release nothing that it receives. */
  @Test
  void vertxIsChangedBesideANettyThatIsRefused() {
    Outcome outcome =
        copies(
            "changed",
            JarFiles.joined(changedNetty()),
            "with Vert.x",
            JarFiles.joined(JarFiles.frameworks()));
    assertThat(outcome.value("changed")).isEqualTo(DEFAULT);
    assertThat(outcome.value("with Vert.x")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("with Vert.x, released")).isEqualTo("true");
    assertThat(outcome.err()).doesNotContain("Vert.x");
  }

  /** Runs several copies of Netty: a name and a class path each. */
  private static Outcome copies(String... namesAndClassPaths) {
    return agent(List.of()).run(DefaultsOf.class, namesAndClassPaths);
  }

  private static Path brokenCore() {
    return ChangedJars.without(
        core(), "io/github/mimalloc4j/core/memory/SegmentPool.class"::equals);
  }

  private static List<Path> unversionedNetty() {
    return netty("tooOld").stream().map(j -> ChangedJars.without(j, VERSIONS::equals)).toList();
  }

  private static List<Path> changedNetty() {
    return ChangedJars.netty(ChangedJars::withOneMoreUse);
  }

  private static List<Path> nettyWithOwnType() {
    return ChangedJars.netty(jar -> ChangedJars.withOwnType(jar, Program.TYPE));
  }

  private static Program agent(List<Path> jars) {
    return Program.on(Jdk.DEFAULT)
        .agent(JarFiles.agent())
        .options(Program.CHOSEN)
        .classPath(with(jars, programs()));
  }
}
