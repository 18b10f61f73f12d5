package io.github.mimalloc4j.microbench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.page.Table.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private record Row(String what, String allocator, double mib) {}

  private final Table table =
      Table.of(
              2,
              List.of(
                  new Column<Row>("what", Row::what),
                  new Column<Row>("allocator", Row::allocator),
                  new Column<Row>("MiB", row -> Table.cell("%.1f", row.mib()))),
              List.of(
                  new Row("burst", "a", 10.5),
                  new Row("burst", "b <new>", 9),
                  new Row("idle", "b <new>", 9)))
          .grouped();

  @Test
  void markdownAlignsNumbersToTheRight() {
    assertThat(table.toMarkdown())
        .isEqualTo(
            """
            | what  | allocator |  MiB |
            |-------|-----------|-----:|
            | burst | a         | 10.5 |
            |       | b <new>   |  9.0 |
            | idle  | b <new>   |  9.0 |
            """);
  }

  @Test
  void htmlShowsTheSameAndMarksGroups() {
    assertThat(table.toHtml().lines())
        .contains(
            "<tr class=\"group\"><td>burst</td><td>a</td><td class=\"number\">10.5</td></tr>",
            "<tr><td></td><td>b &lt;new&gt;</td><td class=\"number\">9.0</td></tr>",
            "<tr class=\"group\"><td>idle</td><td>b &lt;new&gt;</td><td class=\"number\">9.0</td></tr>");
  }

  @Test
  void numbersThatNobodyKnowsAreDashes() {
    assertThat(Table.cell("%.1f", 1.25)).isEqualTo("1.3");
    assertThat(Table.cell("%,d", 1000L)).isEqualTo("1,000");
    assertThat(Table.cell("%.1f", null)).isEqualTo("-");
  }

  @Test
  void rowsOfAnotherLengthAreRefused() {
    assertThatThrownBy(() -> new Table(List.of("a", "b"), 1, List.of(List.of("1"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[1] does not fit [a, b]");
  }
}
