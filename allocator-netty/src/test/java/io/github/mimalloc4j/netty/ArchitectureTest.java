package io.github.mimalloc4j.netty;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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

  private static final String CORE = "io.github.mimalloc4j.core..";

  /** Also keeps Netty and our Netty module out of the core. */
  @ArchTest
  static final ArchRule theCoreStandsAlone =
      classes()
          .that()
          .resideInAPackage(CORE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", CORE);

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.github.mimalloc4j.(**)").should().beFreeOfCycles();

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
