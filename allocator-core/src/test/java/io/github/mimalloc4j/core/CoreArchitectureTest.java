package io.github.mimalloc4j.core;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/** Within the core, dependencies point from heaps down to pages and from heaps down to memory. */
@AnalyzeClasses(
    packages = "io.github.mimalloc4j.core",
    importOptions = ImportOption.DoNotIncludeTests.class)
class CoreArchitectureTest {

  private static final List<String> MEMORY =
      List.of("SegmentPool", "Segment", "Run", "MemorySource", "Memory");

  private static final List<String> USERS_OF_MEMORY =
      List.of(
          "Page",
          "PageQueues",
          "LargePages",
          "RetiredPages",
          "Mailbox",
          "HeapOwnership",
          "Heap",
          "Heaps",
          "HeapCounters",
          "AllocatorCounters",
          "StatisticsReader");

  @ArchTest
  static final ArchRule theCoreStandsAlone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "io.github.mimalloc4j.core..");

  /** Everybody may read them: they show nothing of what is inside. */
  @ArchTest
  static final ArchRule figuresNeedNothingElse =
      classes()
          .that()
          .resideInAPackage("io.github.mimalloc4j.core.statistics")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "io.github.mimalloc4j.core.statistics");

  @ArchTest
  static final ArchRule sizeClassesNeedNothingElse = usesNothingElseOfTheCore("SizeClasses");

  @ArchTest
  static final ArchRule deferredListNeedsNothingElse = usesNothingElseOfTheCore("DeferredList");

  @ArchTest
  static final ArchRule memoryKnowsNoPagesAndHeaps =
      noClasses().that(partOf(MEMORY)).should().dependOnClassesThat(partOf(USERS_OF_MEMORY));

  @ArchTest
  static final ArchRule heapKnowsNoOtherHeaps =
      noClasses()
          .that(partOf(List.of("HeapOwnership", "Heap")))
          .should()
          .dependOnClassesThat(partOf(List.of("Heaps")));

  /**
   * A page holds its heap for others to read; what a release means to the heap, the heap decides.
   */
  @ArchTest
  static final ArchRule pageNeverCallsItsHeap =
      noClasses()
          .that(partOf(List.of("Page", "PageFields", "PagePadding")))
          .should()
          .accessTargetWhere(targetOwner(partOf(List.of("HeapOwnership", "Heap", "Heaps"))));

  private static ArchRule usesNothingElseOfTheCore(String name) {
    DescribedPredicate<JavaClass> itself = partOf(List.of(name));
    return noClasses()
        .that(itself)
        .should()
        .dependOnClassesThat(
            not(itself).and(JavaClass.Predicates.resideInAPackage("io.github.mimalloc4j.core..")));
  }

  /** The classes of these simple names and whatever is nested in them. */
  private static DescribedPredicate<JavaClass> partOf(List<String> names) {
    Set<String> wanted = Set.copyOf(names);
    return describe(
        "part of " + String.join(", ", names), type -> wanted.contains(outermost(type)));
  }

  private static String outermost(JavaClass type) {
    String name = type.getBaseComponentType().getName();
    int nested = name.indexOf('$');
    String top = nested < 0 ? name : name.substring(0, nested);
    return top.startsWith("io.github.mimalloc4j.core.")
        ? top.substring(top.lastIndexOf('.') + 1)
        : "";
  }
}
