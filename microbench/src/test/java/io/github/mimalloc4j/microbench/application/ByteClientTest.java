package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each fault of an unsound server is found. */
@Timeout(60)
class ByteClientTest {
  private static final Connector CONNECTOR =
      ByteClient.connector(() -> () -> ByteClient.Exchange.of("ask;", "answer;"));

  @Test
  void answersAreComparedInTheirOrder() throws Exception {
    assertThat(OneConnection.runAgainst(CONNECTOR, "answer;answer;", 2))
        .containsExactly("correct", "correct");
  }

  @ParameterizedTest
  @CsvSource({
    "answer;anxwer;answer;, 'a wrong answer, after 0 correct bytes: anxwer;answer;'",
    "answer;, connection lost",
    "answer;answ, connection lost",
    "'', connection lost",
  })
  void faultIsFoundAndEndsTheConnection(String answers, String error) throws Exception {
    List<String> outcomes = OneConnection.runAgainst(CONNECTOR, answers, 4);

    assertThat(outcomes).hasSize(4).endsWith(error, error, error);
    assertThat(outcomes.get(0)).isEqualTo(answers.isEmpty() ? error : "correct");
  }

  @Test
  void wrongByteInTheMiddleOfALongAnswerIsFound() throws Exception {
    Workload lrange = Workloads.named("resp:lrange").get(0);
    String start = "*600\r\n" + "$16\r\nxxxxxxxxxxxxxxxx\r\n".repeat(300);

    assertThat(OneConnection.runAgainst(lrange.client(), start + "$16\r\nxxxxyxxx", 1))
        .singleElement()
        .asString()
        .startsWith("a wrong answer, after ");
  }
}
