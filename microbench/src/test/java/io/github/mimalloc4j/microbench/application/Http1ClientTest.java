package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fault of an unsound server is found. */
@Timeout(120)
class Http1ClientTest {
  private static final Connector CONNECTOR = RequestMix.connector(new int[] {-1}, false);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 200 OK;content-length: 13;;Hello, World! | correct",
        "HTTP/1.1 500 Oops;content-length: 0;; | status 500",
        "HTTP/1.1 200 OK;content-length: 13;;Hello, Wor1d! | an answer with the wrong content",
        "HTTP/1.1 200 OK;content-length: 14;;Hello, World!! | an answer with the wrong content",
        "HTTP/1.1 200 OK;content-length: 5;;Hello | an answer of 5 bytes instead of 13",
        "HTTP/1.1 200 OK;content-length: 13;;Hello | connection lost",
        "nonsense; | an answer that is not HTTP",
      })
  void faultIsFound(String answer, String error) throws Exception {
    assertThat(OneConnection.runAgainst(CONNECTOR, answer.replace(";", "\r\n"), 1))
        .singleElement()
        .asString()
        .startsWith(error);
  }
}
