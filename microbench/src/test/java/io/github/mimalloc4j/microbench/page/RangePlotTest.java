package io.github.mimalloc4j.microbench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** What stands where in the image. */
class RangePlotTest {
  private static final RangePlot FIRST =
      new RangePlot("JDK 17", "ratio")
          .add("won", "PEER", 2, 1.6, 2)
          .add("lost & <found>", "PEER", 0.8, 0.5, 1);

  private static final RangePlot SECOND =
      new RangePlot("JDK 25", "ratio").add("won", "OTHER", 1, 1, 1);

  @Test
  void theLowestRowIsTheFirst() throws Exception {
    List<String> texts = elements(FIRST, "text").map(Element::getTextContent).toList();

    assertThat(texts).containsSubsequence("lost & <found>", "won", "PEER", "JDK 17");
  }

  @Test
  void theScaleIsLogarithmic() throws Exception {
    double one = tick(FIRST, "1");

    assertThat(tick(FIRST, "2") - one).isCloseTo(one - tick(FIRST, "0.5"), within(0.15));
  }

  @Test
  void dotsAndLinesAreAtTheirNumbers() throws Exception {
    assertThat(
            elements(FIRST, "circle")
                .skip(1) // the legend's
                .map(dot -> number(dot, "cx")))
        .containsExactly(tick(FIRST, "0.8"), tick(FIRST, "2"));
    assertThat(
            elements(FIRST, "line")
                .filter(line -> line.hasAttribute("stroke-width"))
                .map(line -> List.of(number(line, "x1"), number(line, "x2"))))
        .containsExactly(
            List.of(tick(FIRST, "0.5"), tick(FIRST, "1")),
            List.of(tick(FIRST, "1.6"), tick(FIRST, "2")));
  }

  @Test
  void plotsOfTheSameRowsStandSideBySide() throws Exception {
    List<Element> texts = elements(List.of(FIRST, SECOND), "text").toList();

    assertThat(texts.stream().filter(text -> text.getTextContent().equals("won"))).hasSize(1);
    assertThat(at(texts, "JDK 25", "x")).isGreaterThan(at(texts, "JDK 17", "x"));
    assertThat(at(texts, "JDK 25", "y")).isEqualTo(at(texts, "JDK 17", "y"));
    assertThat(elements(List.of(FIRST, SECOND), "circle").skip(2)).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 1", "1, 2, 3", "2, 1, 1.5", "NaN, NaN, NaN"})
  void whatIsNoRangeIsRefused(double middle, double low, double high) {
    RangePlot plot = new RangePlot("JDK 17", "ratio");

    assertThatThrownBy(() -> plot.add("row", "PEER", middle, low, high))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(plot.isEmpty()).isTrue();
  }

  private static double tick(RangePlot plot, String label) throws Exception {
    return at(elements(plot, "text").toList(), label, "x");
  }

  private static double at(List<Element> texts, String text, String attribute) {
    return texts.stream()
        .filter(one -> one.getTextContent().equals(text))
        .mapToDouble(one -> number(one, attribute))
        .findFirst()
        .orElseThrow();
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  private static Stream<Element> elements(RangePlot plot, String name) throws Exception {
    return elements(List.of(plot), name);
  }

  private static Stream<Element> elements(List<RangePlot> plots, String name) throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(RangePlot.svg(plots))));
    return IntStream.range(0, svg.getElementsByTagName(name).getLength())
        .mapToObj(i -> (Element) svg.getElementsByTagName(name).item(i));
  }
}
