package io.github.mimalloc4j.activationtests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The agent runs where Netty may not be visible. */
@AnalyzeClasses(packages = {"io.github.mimalloc4j.agent", "io.github.mimalloc4j.activation"})
class AgentArchitectureTest {

  @ArchTest
  static final ArchRule theAgentLinksNeitherNettyNorTheRestOfTheLibrary =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "io.github.mimalloc4j.agent",
              "io.github.mimalloc4j.activation");
}
