package io.github.mimalloc4j.microbench.page;

import com.google.gson.Gson;
import java.util.List;

/**
 * A page of text, tables and charts, from top to bottom. All that it needs is in it; a content
 * security policy keeps browsers from loading anything else.
 */
public final class HtmlPage {
  private static final String POLICY =
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

  /** Escapes what HTML knows within strings, so that JSON can stand in a script element. */
  private static final Gson JSON = new Gson();

  private final String title;
  private final StringBuilder body = new StringBuilder();

  /** Makes a page that has a title and nothing else. */
  public HtmlPage(String title) {
    this.title = title;
    element("h1", title);
  }

  /** Adds the heading of a part. */
  public HtmlPage heading(String text) {
    return element("h2", text);
  }

  /** Adds a paragraph. */
  public HtmlPage paragraph(String text) {
    return element("p", text);
  }

  /** Adds a list. */
  public HtmlPage list(List<String> items) {
    body.append("<ul>\n");
    items.forEach(item -> element("li", item));
    body.append("</ul>\n");
    return this;
  }

  /** Adds a paragraph that nobody should miss. */
  public HtmlPage warning(String text) {
    body.append("<p class=\"warning\">").append(Html.escape(text)).append("</p>\n");
    return this;
  }

  /** Adds the heading of a part of a part. */
  public HtmlPage subheading(String text) {
    return element("h3", text);
  }

  /** Adds lines that keep their breaks. */
  public HtmlPage preformatted(List<String> lines) {
    return element("pre", String.join("\n", lines));
  }

  /** Adds a table. */
  public HtmlPage table(Table table) {
    body.append("<div class=\"table\">\n").append(table.toHtml()).append("</div>\n");
    return this;
  }

  /**
   * Adds a chart.
   *
   * @param chart what to draw
   * @param caption what it shows
   */
  public HtmlPage chart(Chart chart, String caption) {
    String text = Html.escape(caption);
    body.append("<figure>\n<figcaption>").append(text).append("</figcaption>\n");
    body.append("<div class=\"chart\" role=\"img\" aria-label=\"")
        .append(text)
        .append("\" style=\"height:")
        .append(chart.height())
        .append("px\"></div>\n");
    body.append("<script type=\"application/json\">")
        .append(JSON.toJson(chart.option()))
        .append("</script>\n</figure>\n");
    return this;
  }

  private HtmlPage element(String name, String text) {
    body.append('<').append(name).append('>').append(Html.escape(text));
    body.append("</").append(name).append(">\n");
    return this;
  }

  /** The whole page. */
  public String render() {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    page.append("<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.append("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .append(POLICY)
        .append("\">\n");
    page.append("<title>").append(Html.escape(title)).append("</title>\n");
    page.append("<style>\n").append(Resource.read(HtmlPage.class, "page.css")).append("</style>\n");
    page.append("</head>\n<body>\n<noscript><p>The charts need JavaScript.</p></noscript>\n");
    page.append(body);
    page.append("<footer>Charts: Apache ECharts ").append(ECharts.VERSION);
    page.append(", Apache License 2.0, copyright The Apache Software Foundation.</footer>\n");
    appendScript(page, ECharts.script());
    appendScript(page, Resource.read(HtmlPage.class, "page.js"));
    return page.append("</body>\n</html>\n").toString();
  }

  private static void appendScript(StringBuilder page, String script) {
    page.append("<script>\n").append(Html.script(script)).append("\n</script>\n");
  }
}
