package io.github.mimalloc4j.microbench.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlPageTest {
  /** Elements and styles that make a browser load something. */
  private static final Pattern LOADS =
      Pattern.compile("(?i)\\b(src|href|action)\\s*=\\s*[\"']?\\s*(https?:|//)[^\"'>]*");

  private static final Pattern SCRIPT = Pattern.compile("(?s)<script([^>]*)>.*?</script>");

  private static final Axis SECONDS = new Axis("seconds", Axis.Scale.LINEAR);

  @Test
  void nothingIsLoadedFromElsewhere() {
    String html = new HtmlPage("title").chart(chart("a"), "caption").render();

    assertThat(LOADS.matcher(html).results().map(MatchResult::group)).isEmpty();
    String markup = SCRIPT.matcher(html).replaceAll("<script$1></script>");
    assertThat(markup)
        .hasSizeLessThan(5_000)
        .doesNotContain("<link", "<img", "<iframe", "<object", "src=", "href=", "@import", "url(")
        .contains("Content-Security-Policy", "default-src 'none'");
  }

  @Test
  void theLibraryIsInThePage() {
    String html = new HtmlPage("title").render();

    // Not by AssertJ's own comparison, which would print a megabyte.
    assertThat(html.contains("Licensed to the Apache Software Foundation")).isTrue();
    assertThat(html.contains("t.version=\"" + ECharts.VERSION + "\"")).isTrue();
    assertThat(html.contains("Charts: Apache ECharts " + ECharts.VERSION)).isTrue();
  }

  @Test
  void textIsNotTakenForMarkup() {
    String html =
        new HtmlPage("a < b & \"c\"")
            .heading("<h>")
            .paragraph("<p>")
            .list(List.of("<li>"))
            .preformatted(List.of("<1>", "<2>"))
            .chart(chart("</script><script>alert(1)</script>"), "<\"caption\">")
            .render();

    assertThat(html)
        .contains("<title>a &lt; b &amp; &quot;c&quot;</title>")
        .contains("<h2>&lt;h&gt;</h2>", "<p>&lt;p&gt;</p>", "<li>&lt;li&gt;</li>")
        .contains("<pre>&lt;1&gt;\n&lt;2&gt;</pre>")
        .contains("aria-label=\"&lt;&quot;caption&quot;&gt;\"")
        .doesNotContain("<script>alert");
    assertThat(PageReader.legend(PageReader.charts(html).get(0)))
        .containsExactly("</script><script>alert(1)</script>");
  }

  @Test
  void scriptsDoNotEndEarly() {
    assertThat(Html.script("x = '</script>' + \"</SCRIPT >\" + '<!-- -->'; if (a<b/c) {}"))
        .isEqualTo("x = '\\x3c/script>' + \"\\x3c/SCRIPT >\" + '\\x3c!-- -->'; if (a<b/c) {}");
  }

  @Test
  void chartsKeepWhatTheyWereGiven() {
    LineChart chart =
        new LineChart(SECONDS, new Axis("ns", Axis.Scale.LOGARITHMIC))
            .band(new LineChart.Band("work", 0, 2, false))
            .band(new LineChart.Band("idle\nnow", 2, 4.5, true))
            .line(line("a", LineChart.Look.AREA))
            .line(line("b", LineChart.Look.DASHED));

    JsonObject option = PageReader.charts(new HtmlPage("t").chart(chart, "c").render()).get(0);

    assertThat(PageReader.legend(option)).containsExactly("a", "b");
    assertThat(PageReader.points(option, "b"))
        .containsExactly(List.of(0.0, 1.0), List.of(4.5, 2.25));
    assertThat(PageReader.bands(option)).containsExactly("work", "idle\nnow");
    assertThat(option.getAsJsonObject("xAxis").get("name").getAsString()).isEqualTo("seconds");
    assertThat(option.getAsJsonObject("xAxis").get("max").getAsDouble()).isEqualTo(4.5);
    assertThat(option.getAsJsonObject("yAxis").get("name").getAsString()).isEqualTo("ns");
    assertThat(option.getAsJsonObject("yAxis").get("type").getAsString()).isEqualTo("log");
  }

  @Test
  void chartsOfOtherKindsAreWelcome() {
    Chart bars = () -> Map.of("series", List.of(Map.of("type", "bar", "data", List.of(1, 2.5, 3))));

    JsonObject option = PageReader.charts(new HtmlPage("t").chart(bars, "c").render()).get(0);

    assertThat(option.toString()).contains("\"bar\"").contains("[1,2.5,3]");
  }

  private static LineChart chart(String lineName) {
    return new LineChart(SECONDS, SECONDS).line(line(lineName, LineChart.Look.SOLID));
  }

  private static LineChart.Line line(String name, LineChart.Look look) {
    return new LineChart.Line(
        name, "#123456", look, List.of(new double[] {0, 1}, new double[] {4.5, 2.25}));
  }
}
