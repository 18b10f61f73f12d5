package io.github.mimalloc4j.microbench.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.page.Chart.Axis;
import io.github.mimalloc4j.microbench.page.Chart.Scale;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentTest {
  /** Elements and styles that make a browser load something. */
  private static final Pattern LOADS =
      Pattern.compile("(?i)\\b(src|href|action)\\s*=\\s*[\"']?\\s*(https?:|//)[^\"'>]*");

  private static final Pattern SCRIPT = Pattern.compile("(?s)<script([^>]*)>.*?</script>");

  private static final Axis SECONDS = new Axis("seconds", Scale.LINEAR);
  private static final List<double[]> POINTS =
      List.of(new double[] {0, 1}, new double[] {4.5, 2.25});

  @Test
  void nothingIsLoadedFromElsewhere() {
    String html = new Document("title").chart(chart("a", "caption")).html();

    assertThat(LOADS.matcher(html).results().map(MatchResult::group)).isEmpty();
    String markup = SCRIPT.matcher(html).replaceAll("<script$1></script>");
    assertThat(markup)
        .hasSizeLessThan(5_000)
        .doesNotContain("<link", "<img", "<iframe", "<object", "src=", "href=", "@import", "url(")
        .contains("Content-Security-Policy", "default-src 'none'")
        .contains("<noscript><p>The charts need JavaScript.</p></noscript>");
  }

  @Test
  void theLibraryIsInThePage() {
    String html = new Document("title").html();

    // Not by AssertJ's own comparison, which would print a megabyte.
    assertThat(html.contains("Licensed to the Apache Software Foundation")).isTrue();
    assertThat(html.contains("t.version=\"" + Document.ECHARTS + "\"")).isTrue();
    assertThat(html.contains("Charts: Apache ECharts " + Document.ECHARTS)).isTrue();
  }

  @Test
  void textIsNotTakenForMarkup() {
    String html =
        new Document("a < b & \"c\" 100 %s")
            .heading("<h>")
            .warning("<w>")
            .paragraph("<p>")
            .list(List.of("<li>"))
            .preformatted(List.of("<1>", "<2>"))
            .chart(chart("</script><script>alert(1)</script>", "<\"caption\">"))
            .html();

    assertThat(html)
        .contains("<title>a &lt; b &amp; &quot;c&quot; 100 %s</title>")
        .contains("<h2>&lt;h&gt;</h2>", "<p>&lt;p&gt;</p>", "<li>&lt;li&gt;</li>")
        .contains("<p class=\"warning\">&lt;w&gt;</p>")
        .contains("<pre>&lt;1&gt;\n&lt;2&gt;</pre>")
        .contains("role=\"img\" aria-label=\"&lt;&quot;caption&quot;&gt;\"")
        .contains("<figcaption>&lt;&quot;caption&quot;&gt;</figcaption>")
        .doesNotContain("<script>alert");
    assertThat(PageReader.legend(PageReader.charts(html).get(0)))
        .containsExactly("</script><script>alert(1)</script>");
  }

  @Test
  void scriptsDoNotEndEarly() {
    assertThat(Document.script("x = '</script>' + \"</SCRIPT >\" + '<!-- -->'; if (a<b/c) {}"))
        .isEqualTo("x = '\\x3c/script>' + \"\\x3c/SCRIPT >\" + '\\x3c!-- -->'; if (a<b/c) {}");
  }

  @Test
  void theTerminalGetsTheSameWithoutCharts() {
    Document document =
        new Document("title")
            .warning("beware")
            .heading("charts alone")
            .chart(chart("a", "caption"))
            .heading("more")
            .paragraph("<p>")
            .table(new Table(List.of("a"), 1, List.of(List.of("1"))))
            .list(List.of("x", "y"))
            .preformatted(List.of("p", "q"));

    assertThat(document.text())
        .isEqualTo(
            """
            Warning: beware

            ## more

            <p>

            | a |
            |---|
            | 1 |

            - x
            - y

            p
            q
            """);
  }

  @Test
  void chartsKeepWhatTheyWereGiven() {
    Chart chart =
        Chart.lines("c", SECONDS, new Axis("ns", Scale.LOGARITHMIC))
            .band("work", 0, 2, false)
            .band("idle\nnow", 2, 4.5, true)
            .mark("m", 3)
            .series("a", POINTS)
            .series("b", POINTS)
            .series("nothing", List.of());

    JsonObject shown = PageReader.charts(new Document("t").chart(chart).html()).get(0);

    assertThat(PageReader.legend(shown)).containsExactly("a", "b");
    assertThat(PageReader.points(shown, "b"))
        .containsExactly(List.of(0.0, 1.0), List.of(4.5, 2.25));
    assertThat(PageReader.bands(shown)).containsExactly("work", "idle\nnow");
    assertThat(shown.toString())
        .startsWith("{\"kind\":\"LINES\",\"x\":{\"name\":\"seconds\",\"scale\":\"LINEAR\"}")
        .contains("\"y\":{\"name\":\"ns\",\"scale\":\"LOGARITHMIC\"}")
        .contains("\"mark\":{\"label\":\"m\",\"value\":3")
        .contains("{\"label\":\"idle\\nnow\",\"from\":2.0,\"to\":4.5,\"shaded\":true}");
  }

  @Test
  void chartsWithoutSeriesAreLeftOut() {
    Document document = new Document("t").chart(Chart.bars("c", "ns", List.of("a")).mark("m", 1));

    assertThat(PageReader.charts(document.html())).isEmpty();
  }

  /** The script has no tests of its own; what it does not know would be an error in the browser. */
  @Test
  void theScriptKnowsAllKindsScalesAndFieldsOfCharts() {
    String script = Document.resource("page.js");

    assertThat(Stream.of((Object[]) Chart.Kind.values(), Scale.values()).flatMap(Arrays::stream))
        .allSatisfy(constant -> assertThat(script).containsPattern("\\b" + constant + ": "));
    JsonObject chart = PageReader.charts(new Document("t").chart(chart("a", "c")).html()).get(0);
    assertThat(chart.keySet())
        .contains("groups", "bands", "series")
        .allSatisfy(field -> assertThat(script).contains("chart." + field));
  }

  private static Chart chart(String name, String caption) {
    return Chart.points(caption, SECONDS, SECONDS).series(name, POINTS);
  }
}
