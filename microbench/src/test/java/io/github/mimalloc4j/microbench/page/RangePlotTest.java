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
      RangePlot.ofRatios("JDK 17", "ratio")
          .add("won", "PEER", 2, 1.4, 2)
          .add("lost & <found>", "PEER", 0.7, 0.5, 1);

  private static final RangePlot SECOND =
      RangePlot.ofRatios("JDK 25", "ratio").add("won", "OTHER", 1, 1, 1);

  private static final RangePlot MEMORY =
      RangePlot.ofPercentages("memory", "%").add("kept", "PEER", 60, 0, 100);

  @Test
  void theLowestRowIsTheFirst() throws Exception {
    List<String> texts = elements(FIRST, "text").map(Element::getTextContent).toList();

    assertThat(texts).containsSubsequence("PEER", "JDK 17", "lost & <found>", "won");
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
        .containsExactly(tick(FIRST, "0.7"), tick(FIRST, "2"));
    assertThat(
            elements(FIRST, "line")
                .filter(line -> line.hasAttribute("stroke-width"))
                .map(line -> List.of(number(line, "x1"), number(line, "x2"))))
        .containsExactly(
            List.of(tick(FIRST, "0.5"), tick(FIRST, "1")),
            List.of(tick(FIRST, "1.4"), tick(FIRST, "2")));
  }

  @Test
  void whatIsBeyondTheAxisIsDrawnAtItsEdge() throws Exception {
    RangePlot plot = RangePlot.ofRatios("title", "axis").add("row", "PEER", 40, 2, 5000);

    assertThat(elements(plot, "circle").skip(1).map(dot -> number(dot, "cx")))
        .containsExactly(tick(plot, "16"));
    assertThat(
            elements(plot, "line")
                .filter(line -> line.hasAttribute("stroke-width"))
                .map(line -> List.of(number(line, "x1"), number(line, "x2"))))
        .containsExactly(List.of(tick(plot, "2"), tick(plot, "16")));
  }

  @Test
  void theDotOfASingleValueIsHollow() throws Exception {
    assertThat(elements(List.of(FIRST, SECOND), "circle").skip(2))
        .extracting(dot -> dot.getAttribute("fill").equals(dot.getAttribute("stroke")))
        .containsExactly(true, true, false);
  }

  @Test
  void percentagesGoFromZeroToAHundred() throws Exception {
    double zero = tick(MEMORY, "0");

    assertThat(number(elements(MEMORY, "circle").skip(1).findFirst().orElseThrow(), "cx") - zero)
        .isCloseTo(0.6 * (tick(MEMORY, "100") - zero), within(0.15));
  }

  @Test
  void plotsStandInTwoColumnsOfWhichNoneIsMuchLonger() throws Exception {
    List<Element> texts = elements(List.of(MEMORY, FIRST, SECOND), "text").toList();

    assertThat(at(texts, "memory", "x")).isGreaterThan(at(texts, "JDK 17", "x"));
    assertThat(at(texts, "memory", "y")).isEqualTo(at(texts, "JDK 17", "y"));
    assertThat(at(texts, "JDK 25", "x")).isEqualTo(at(texts, "memory", "x"));
    assertThat(at(texts, "JDK 25", "y")).isGreaterThan(at(texts, "memory", "y"));
  }

  @Test
  void plotsWithTheSameAxisHaveTheSameScale() throws Exception {
    List<RangePlot> plots = List.of(FIRST, SECOND, MEMORY);

    assertThat(elements(plots, "text").map(Element::getTextContent))
        .containsOnlyOnce("lost & <found>", "PEER", "OTHER", "100")
        .filteredOn(List.of("0.5", "won", "2")::contains)
        .containsExactlyInAnyOrder("0.5", "0.5", "won", "won", "2", "2");
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 1", "1, 2, 3", "2, 1, 1.5", "NaN, NaN, NaN"})
  void whatIsNoRangeIsRefused(double middle, double low, double high) {
    RangePlot plot = RangePlot.ofRatios("JDK 17", "ratio");

    assertThatThrownBy(() -> plot.add("row", "PEER", middle, low, high))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(plot.isEmpty()).isTrue();
  }

  @Test
  void whatIsBelowZeroIsNoPercentage() {
    assertThatThrownBy(() -> MEMORY.add("row", "PEER", 1, -1, 2))
        .isInstanceOf(IllegalArgumentException.class);
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
