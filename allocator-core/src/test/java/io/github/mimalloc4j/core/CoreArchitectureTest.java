package io.github.mimalloc4j.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.mimalloc4j.core.heap.Heap;

/** Dependencies go down: from the entry to heaps, and from heaps to memory. */
@AnalyzeClasses(
    packages = "io.github.mimalloc4j.core",
    importOptions = ImportOption.DoNotIncludeTests.class)
class CoreArchitectureTest {

  private static final String ENTRY = "io.github.mimalloc4j.core";
  private static final String HEAP = "io.github.mimalloc4j.core.heap";
  private static final String MEMORY = "io.github.mimalloc4j.core.memory";

  /** Everybody may read them: they show nothing of what is inside. */
  private static final String FIGURES = "io.github.mimalloc4j.core.statistics";

  private static final String BELOW_A_HEAP =
      HEAP
          + ".(HeapPages|LargePages|KeptLargePage|PortionedTrim|RetiredPages"
          + "|Page(Fields|Padding|Queues|Room|Table)?)([$].*)?";

  @ArchTest
  static final ArchRule theCoreStandsAlone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "io.github.mimalloc4j.core..");

  @ArchTest
  static final ArchRule dependenciesGoDown =
      layeredArchitecture()
          .consideringAllDependencies()
          .layer("entry")
          .definedBy(ENTRY)
          .layer("heap")
          .definedBy(HEAP)
          .layer("memory")
          .definedBy(MEMORY)
          .layer("figures")
          .definedBy(FIGURES)
          .whereLayer("entry")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("heap")
          .mayOnlyBeAccessedByLayers("entry")
          .whereLayer("memory")
          .mayOnlyBeAccessedByLayers("entry", "heap")
          .whereLayer("figures")
          .mayOnlyBeAccessedByLayers("entry");

  @ArchTest
  static final ArchRule sizeClassesKnowNoOtherClassOfHeaps =
      usesNothingElseOfItsLayer("SizeClasses");

  @ArchTest
  static final ArchRule deferredListKnowsNoOtherClassOfHeaps =
      usesNothingElseOfItsLayer("DeferredList");

  /** Pages hold their heap for others to read; who may touch them, the heap decides. */
  @ArchTest
  static final ArchRule pagesNeverCallTheirHeap =
      noClasses()
          .that()
          .haveNameMatching(BELOW_A_HEAP)
          .should()
          .accessTargetWhere(
              JavaAccess.Predicates.targetOwner(JavaClass.Predicates.assignableTo(Heap.class)));

  private static ArchRule usesNothingElseOfItsLayer(String simpleName) {
    String name = HEAP + '.' + simpleName;
    return noClasses()
        .that()
        .haveFullyQualifiedName(name)
        .should()
        .dependOnClassesThat(resideInAPackage(HEAP).and(not(HasName.Predicates.name(name))));
  }
}
