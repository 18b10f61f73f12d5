package io.github.mimalloc4j.netty.project;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependencies between the modules point one way, and the main code leaves logging to Netty. */
@AnalyzeClasses(
    packages = "io.github.mimalloc4j",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String NETTY_ONLY = "io.github.mimalloc4j.netty";

  private static final String NETTY = NETTY_ONLY + ".";

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.github.mimalloc4j.(**)").should().beFreeOfCycles();

  /** Which package of the Netty module may know which: a line for each, the lowest last. */
  @ArchTest
  static final ArchRule dependenciesPointDown =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage(NETTY_ONLY, NETTY + ".")
          .ensureAllClassesAreContainedInArchitectureIgnoring(
              resideOutsideOfPackages(NETTY_ONLY, NETTY + "."))
          .layer("redirection")
          .definedBy(NETTY + "redirection")
          .layer("installation")
          .definedBy(NETTY + "installation")
          .layer("netty")
          .definedBy(NETTY_ONLY)
          .layer("debugging")
          .definedBy(NETTY + "debugging")
          .layer("threads")
          .definedBy(NETTY + "threads")
          .layer("buffers")
          .definedBy(NETTY + "buffers")
          .layer("figures")
          .definedBy(NETTY + "figures")
          .layer("options")
          .definedBy(NETTY + "options")
          .layer("system")
          .definedBy(NETTY + "system")
          .layer("events")
          .definedBy(NETTY + "events")
          .layer("jfr")
          .definedBy(NETTY + "jfr")
          .whereLayer("redirection")
          .mayOnlyAccessLayers("netty")
          .whereLayer("installation")
          .mayNotAccessAnyLayer()
          .whereLayer("debugging")
          .mayOnlyAccessLayers("threads", "buffers", "options")
          .whereLayer("threads")
          .mayOnlyAccessLayers("buffers", "options", "system", "events")
          .whereLayer("buffers")
          .mayOnlyAccessLayers("events")
          .whereLayer("figures")
          .mayOnlyAccessLayers("events")
          .whereLayer("options")
          .mayOnlyAccessLayers("events")
          .whereLayer("system")
          .mayOnlyAccessLayers("events")
          .whereLayer("events")
          .mayOnlyAccessLayers("jfr")
          .whereLayer("jfr")
          .mayNotAccessAnyLayer();

  /** Public types, and nothing else, are in the package that users import. */
  @ArchTest
  static final ArchRule thePublicPackageIsPublic =
      classes()
          .that()
          .resideInAPackage(NETTY_ONLY)
          .and()
          .areTopLevelClasses()
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .bePublic();

  @ArchTest
  static final ArchRule nothingIsPrinted =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .because("standard output is the user's");

  @ArchTest
  static final ArchRule loggingGoesThroughNetty =
      noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging..");
}
