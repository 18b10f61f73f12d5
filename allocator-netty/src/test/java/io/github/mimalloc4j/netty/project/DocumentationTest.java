package io.github.mimalloc4j.netty.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.options.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documents name is there, and their Java code compiles and runs. */
class DocumentationTest {

  private static final Path ROOT = Path.of("..");

  /** The constants of {@link Options}, each of which is named as its option. */
  private static final Set<String> OPTIONS =
      Arrays.stream(Options.class.getDeclaredFields())
          .map(field -> field.getName())
          .collect(Collectors.toSet());

  @TempDir Path directory;

  @Test
  void optionsExist() throws IOException {
    assertThat(inAllPages(named(DocumentationTest::unknownOptions))).isEmpty();
    assertThat(inAllPages(MarkdownPage::options)).isNotEmpty();
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    assertThat(inAllPages(named(MarkdownPage::brokenLinks))).isEmpty();
  }

  @Test
  void javaCodeCompilesAndRuns() throws IOException {
    List<String> blocks = inAllPages(MarkdownPage::javaBlocks);
    assertThat(MarkdownPage.read(ROOT.resolve("README.md")).javaBlocks()).isNotEmpty();
    for (String block : blocks) {
      new JavaSnippet(block).compile(directory);
      assertThat(JavaSnippet.run(directory)).as(block).doesNotContain("is not activated");
    }
  }

  @Test
  void anUnknownOptionIsFound() throws IOException {
    assertThat(
            unknownOptions(
                page(
                    "All are io.netty.allocator.mimalloc.*: `-Dio.netty.allocator.mimalloc.jmx`\n"
                        + "```\n-Dio.netty.allocator.mimalloc.trimDelay=1\n```\n")))
        .containsExactly("trimDelay");
  }

  @Test
  void aBrokenLinkIsFound() throws IOException {
    Files.createDirectory(directory.resolve("docs"));
    Files.writeString(
        directory.resolve("docs/other.md"),
        "# `Other` page\n## Twice, again\n## Twice, again\n```\n# Not one\n```\n");
    assertThat(
            page("# Own heading\n[a](docs) [a\nb](docs/other.md) [b](#own-heading)"
                    + " [c](docs/other.md#other-page) [d](docs/other.md#twice-again-1)"
                    + " [e](https://example.com/missing) `[f](inline)`\n"
                    + "```\n[g](block)\n```\n"
                    + "[h](missing.md) [i](docs/other.md#not-one) [j](#other-page)"
                    + " [k](docs/other.md#twice-again-2) [l](docs#own-heading)\n")
                .brokenLinks())
        .containsExactly(
            "missing.md",
            "docs/other.md#not-one",
            "#other-page",
            "docs/other.md#twice-again-2",
            "docs#own-heading");
  }

  @Test
  void codeThatDoesNotCompileIsFound() throws IOException {
    String code = page("```java\nMiMalloc.instal();\n```\n").javaBlocks().get(0);
    assertThatThrownBy(() -> new JavaSnippet(code).compile(directory))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("cannot find symbol");
  }

  @Test
  void codeThatFailsIsFound() {
    new JavaSnippet("MiMallocByteBufAllocator.DEFAULT.directBuffer(-1);").compile(directory);
    assertThatThrownBy(() -> JavaSnippet.run(directory))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("IllegalArgumentException");
  }

  private MarkdownPage page(String text) throws IOException {
    return MarkdownPage.read(Files.writeString(directory.resolve("page.md"), text));
  }

  private static List<String> unknownOptions(MarkdownPage page) {
    return page.options().stream().filter(name -> !OPTIONS.contains(constant(name))).toList();
  }

  /** {@code maxDirectMemory} is {@code MAX_DIRECT_MEMORY}. */
  private static String constant(String option) {
    return option.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  /** The answers with the page's name in front. */
  private static Function<MarkdownPage, List<String>> named(
      Function<MarkdownPage, List<String>> question) {
    return page ->
        question.apply(page).stream().map(answer -> page.file() + ": " + answer).toList();
  }

  private static List<String> inAllPages(Function<MarkdownPage, List<String>> question)
      throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> examples = Files.walk(ROOT.resolve("examples"))) {
      return Stream.concat(
              Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
              Stream.concat(docs, examples).filter(file -> file.toString().endsWith(".md")))
          .map(MarkdownPage::read)
          .flatMap(page -> question.apply(page).stream())
          .toList();
    }
  }
}
