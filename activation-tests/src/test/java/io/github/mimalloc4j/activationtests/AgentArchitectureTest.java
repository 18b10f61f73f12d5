package io.github.mimalloc4j.activationtests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The agent runs where Netty may not be visible. */
@AnalyzeClasses(
    packages = {
      "io.github.mimalloc4j.agent",
      "io.github.mimalloc4j.activation",
      "io.github.mimalloc4j.premain"
    })
class AgentArchitectureTest {

  @ArchTest
  static final ArchRule theAgentLinksNeitherNettyNorTheRestOfTheLibrary =
      classes()
          .that()
          .resideOutsideOfPackage("io.github.mimalloc4j.premain")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "io.github.mimalloc4j.agent",
              "io.github.mimalloc4j.activation");

  /** It is all that the application's class path has of the library. */
  @ArchTest
  static final ArchRule whatStartsTheAgentLinksNothingElse =
      classes()
          .that()
          .resideInAPackage("io.github.mimalloc4j.premain")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "io.github.mimalloc4j.premain");
}
