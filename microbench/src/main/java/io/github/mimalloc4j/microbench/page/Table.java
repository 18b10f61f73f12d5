package io.github.mimalloc4j.microbench.page;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A table of results.
 *
 * @param header the columns' names
 * @param textColumns how many columns come before those of numbers, which are aligned to the right
 * @param rows the cells; an empty first cell says that the row belongs to the one above
 */
public record Table(List<String> header, int textColumns, List<List<String>> rows) {
  /** Makes a table, all rows of which have a cell for each column. */
  public Table {
    for (List<String> row : rows) {
      if (row.size() != header.size()) {
        throw new IllegalArgumentException(row + " does not fit " + header);
      }
    }
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
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(' ')
          .append(i < textColumns ? cells.get(i) + padding : padding + cells.get(i))
          .append(" |");
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

  /** The table in HTML. */
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
      String cell = Html.escape(cells.get(i));
      html.append('<').append(tag).append(i < textColumns ? ">" : " class=\"number\">");
      // A name of a class and a method may be broken between the two.
      html.append(i < textColumns ? cell.replace(".", ".<wbr>") : cell);
      html.append("</").append(tag).append('>');
    }
    return html.append("</tr>\n").toString();
  }
}
