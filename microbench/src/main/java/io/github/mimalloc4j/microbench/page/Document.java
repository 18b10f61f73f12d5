package io.github.mimalloc4j.microbench.page;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Text, tables and charts, from top to bottom: as a web page, and for the terminal, where there are
 * no charts. All that the page needs is in it; a content security policy keeps browsers from
 * loading anything else.
 */
public final class Document {
  /** The version of Apache ECharts in the pom. */
  static final String ECHARTS = "5.5.0";

  private static final String LIBRARY =
      "/META-INF/resources/webjars/echarts/" + ECHARTS + "/echarts.min.js";

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
      <title>%1$s</title>
      <style>
      %2$s</style>
      </head>
      <body>
      <noscript><p>The charts need JavaScript.</p></noscript>
      <h1>%1$s</h1>
      %3$s<footer>Charts: Apache ECharts %4$s, Apache License 2.0, copyright The Apache Software \
      Foundation.</footer>
      <script>
      %5$s
      </script>
      <script>
      %6$s</script>
      </body>
      </html>
      """;

  private static final String CHART =
      """
      <figure>
      <figcaption>%1$s</figcaption>
      <div class="chart" role="img" aria-label="%1$s"></div>
      <script type="application/json">%2$s</script>
      </figure>
      """;

  /** What ends a script element, or changes how its end is found, inside the script's strings. */
  private static final Pattern SCRIPT_MARKUP =
      Pattern.compile("<(/script|!--)", Pattern.CASE_INSENSITIVE);

  /** Escapes what HTML knows within strings, so that JSON can stand in a script element. */
  private static final Gson JSON = new Gson();

  private final String title;
  private final StringBuilder html = new StringBuilder();
  private final StringBuilder text = new StringBuilder();

  /** The last one, if nothing stands below it yet: of charts alone there is nothing to say. */
  private String textHeading = "";

  public Document(String title) {
    this.title = title;
  }

  public Document heading(String heading) {
    add("<h2>%s</h2>\n", "", heading);
    textHeading = "## " + heading + "\n\n";
    return this;
  }

  public Document paragraph(String paragraph) {
    return add("<p>%s</p>\n", "%s\n\n", paragraph);
  }

  /** Adds a paragraph that nobody should miss. */
  public Document warning(String warning) {
    return add("<p class=\"warning\">%s</p>\n", "Warning: %s\n\n", warning);
  }

  public Document list(List<String> items) {
    html.append("<ul>\n");
    items.forEach(item -> add("<li>%s</li>\n", "- %s\n", item));
    return add("</ul>\n", "\n", "");
  }

  public Document preformatted(List<String> lines) {
    return add("<pre>%s</pre>\n", "%s\n", String.join("\n", lines));
  }

  private Document add(String htmlPattern, String textPattern, String content) {
    return append(htmlPattern.formatted(escape(content)), textPattern.formatted(content));
  }

  private Document append(String htmlPart, String textPart) {
    html.append(htmlPart);
    if (!textPart.isEmpty()) {
      text.append(textHeading).append(textPart);
      textHeading = "";
    }
    return this;
  }

  public Document table(Table table) {
    return append(
        "<div class=\"table\">\n" + table.toHtml() + "</div>\n", table.toMarkdown() + "\n");
  }

  /** Adds a chart, unless it is empty. */
  public Document chart(Chart chart) {
    return chart.isEmpty()
        ? this
        : append(CHART.formatted(escape(chart.caption()), JSON.toJson(chart)), "");
  }

  /** All but the charts, tables in Markdown. */
  public String text() {
    return text.toString();
  }

  public String html() {
    return PAGE.formatted(
        escape(title),
        resource("page.css"),
        html,
        ECHARTS,
        script(resource(LIBRARY)),
        script(resource("page.js")));
  }

  /** Text for the body of an element or the value of an attribute in double quotes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /**
   * A script for the body of a script element. The words that are changed can stand in strings,
   * templates and regular expressions only, where the code of a character means the character.
   */
  static String script(String script) {
    return SCRIPT_MARKUP.matcher(script).replaceAll("\\\\x3c$1");
  }

  /** Of the class path, by its path or by its name beside this class. */
  static String resource(String name) {
    try (InputStream in = Document.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
