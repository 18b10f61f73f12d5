package io.github.mimalloc4j.microbench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table of results.
 *
 * @param header the columns' names
 * @param textColumns how many columns come before those of numbers, which are aligned to the right
 * @param rows the cells; an empty first cell says that the row belongs to the one above
 */
public record Table(List<String> header, int textColumns, List<List<String>> rows) {
  /** What a cell shows where there is nothing to tell. */
  public static final String NONE = "-";

  public Table {
    for (List<String> row : rows) {
      if (row.size() != header.size()) {
        throw new IllegalArgumentException(row + " does not fit " + header);
      }
    }
  }

  /** A column of a table, the rows of which are about a {@code T} each. */
  public record Column<T>(String name, Function<T, String> cell) {}

  public static <T> Table of(int textColumns, List<Column<T>> columns, List<T> items) {
    return new Table(
        columns.stream().map(Column::name).toList(),
        textColumns,
        items.stream()
            .map(item -> columns.stream().map(column -> column.cell().apply(item)).toList())
            .toList());
  }

  /** The same in groups: rows that have the same text, but in the last column of text. */
  public Table grouped() {
    int keys = textColumns - 1;
    List<List<String>> grouped = new ArrayList<>();
    List<String> group = List.of();
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>(row);
      if (row.subList(0, keys).equals(group)) {
        cells.subList(0, keys).replaceAll(cell -> "");
      }
      group = row.subList(0, keys);
      grouped.add(cells);
    }
    return new Table(header, textColumns, grouped);
  }

  /** A number for a cell; a dash where there is none. */
  public static String cell(String format, @Nullable Number number) {
    return number == null ? NONE : String.format(Locale.ROOT, format, number);
  }

  /** A number of bytes for a cell, in MiB; a dash where there is none. */
  public static String mib(String format, @Nullable Number bytes) {
    return cell(format, bytes == null ? null : bytes.doubleValue() / (1 << 20));
  }

  /** The table in Markdown, in columns as wide as their contents. */
  public String toMarkdown() {
    int[] widths =
        IntStream.range(0, header.size())
            .map(column -> Math.max(header.get(column).length(), longest(column)))
            .toArray();
    StringBuilder text = new StringBuilder(line(header, widths)).append(rule(widths));
    rows.forEach(row -> text.append(line(row, widths)));
    return text.toString();
  }

  private int longest(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      String pattern = " %" + (i < textColumns ? "-" : "") + widths[i] + "s |";
      line.append(pattern.formatted(cells.get(i)));
    }
    return line.append('\n').toString();
  }

  private String rule(int[] widths) {
    StringBuilder rule = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      rule.append('-').append("-".repeat(widths[i])).append(i < textColumns ? "-|" : ":|");
    }
    return rule.append('\n').toString();
  }

  String toHtml() {
    StringBuilder html = new StringBuilder("<table>\n<thead>").append(htmlRow(header, "th"));
    html.append("</thead>\n<tbody>\n");
    rows.forEach(row -> html.append(htmlRow(row, "td")));
    return html.append("</tbody>\n</table>\n").toString();
  }

  private String htmlRow(List<String> cells, String tag) {
    StringBuilder html = new StringBuilder();
    html.append(cells.get(0).isEmpty() ? "<tr>" : "<tr class=\"group\">");
    for (int i = 0; i < cells.size(); i++) {
      String cell = Document.escape(cells.get(i));
      html.append('<').append(tag).append(i < textColumns ? ">" : " class=\"number\">");
      // A name of a class and a method may be broken between the two.
      html.append(i < textColumns ? cell.replace(".", ".<wbr>") : cell);
      html.append("</").append(tag).append('>');
    }
    return html.append("</tr>\n").toString();
  }
}
