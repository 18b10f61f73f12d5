package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.application.Client;
import io.github.mimalloc4j.microbench.application.LoadResult;
import io.github.mimalloc4j.microbench.application.Transport;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The two loads, with a server that does as it is told. Times have lower bounds alone. */
@Timeout(60)
class LoopsTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  private final EventLoopGroup group = Transport.NIO.newGroup(2);

  @AfterEach
  void endLoops() throws InterruptedException {
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
  }

  private StalledServer server(long stallAfter, long stallMillis, String error) {
    return new StalledServer(group.next(), stallAfter, stallMillis, error);
  }

  /**
   * Of 400 requests in 2 s, those of the middle second have to wait for its end: the first of them
   * a second, the last nothing. A load that waited for answers would have met one of them.
   */
  @Test
  void requestsThatAreDueDuringAStallWaitForItsEnd() throws Exception {
    List<Client> clients = List.of(server(100, 1000, null));

    LoadResult result = OpenLoop.run(clients, 1, 200, Duration.ofSeconds(2));

    assertThat(result.requests()).isEqualTo(400);
    assertThat(result.errors()).isZero();
    LoadResult.Latency latency = result.timing().latency();
    assertThat(latency.max()).isGreaterThanOrEqualTo(990_000);
    assertThat(latency.p99()).as("the slowest 4 of 400").isGreaterThan(900_000);
    assertThat(latency.p90()).as("the slowest 40 of 400").isGreaterThan(750_000);
  }

  /** The requests that were under way when it began, and no others, meet the stall. */
  @Test
  void closedLoopHidesAStall() throws Exception {
    StalledServer server = server(0, 1000, null);

    LoadResult result = ClosedLoop.run(List.of(server), 1, Duration.ofSeconds(2));

    assertThat(result.requests()).isPositive();
    assertThat(server.stalledRequests()).isOne();
    assertThat(result.timing()).isNull();
  }

  @Test
  void rateIsThatOfAllConnectionsTogether() throws Exception {
    List<StalledServer> servers =
        List.of(server(0, 0, null), server(0, 0, null), server(0, 0, null));

    LoadResult result = OpenLoop.run(List.copyOf(servers), 4, 1000, Duration.ofSeconds(1));

    assertThat(result.requests())
        .as("a share of each loop ends with a whole batch")
        .isBetween(996L, 1004L);
    assertThat(servers).allSatisfy(each -> assertThat(each.mostTogether()).isEqualTo(4));
    assertThat(result.timing().late()).isPositive();
  }

  @Test
  void closedLoopSendsWhatIsPipelinedTogether() throws Exception {
    StalledServer server = server(0, 0, null);

    LoadResult result = ClosedLoop.run(List.of(server), 16, SHORT);

    assertThat(server.mostTogether()).isEqualTo(16);
    assertThat(result.requests() % 16).as("all that were sent were waited for").isZero();
    assertThat(result.seconds()).isGreaterThanOrEqualTo(0.29);
  }

  @Test
  void errorsAreCountedAndNoRequests() throws Exception {
    LoadResult closed = ClosedLoop.run(List.of(server(0, 0, "wrong")), 4, SHORT);
    assertThat(closed).isEqualTo(new LoadResult(0, 0, 4, "wrong", null));

    LoadResult open = OpenLoop.run(List.of(server(0, 0, "wrong")), 4, 1000, SHORT);
    assertThat(open.requests()).isZero();
    assertThat(open.errors()).isBetween(296L, 304L);
    assertThat(open.firstError()).isEqualTo("wrong");
    assertThat(open.timing().latency().max()).isZero();
  }

  @Test
  void answersThatNeverComeAreErrors() throws Exception {
    Duration patience = Duration.ofSeconds(2);
    LoadResult result =
        ClosedLoop.run(List.of(server(0, 3_600_000, null), server(0, 0, null)), 1, SHORT, patience);

    assertThat(result.errors()).isEqualTo(1);
    assertThat(result.firstError()).isEqualTo("no answer for 2000 ms after the end of the load");
    assertThat(result.requests()).as("of the other one").isPositive();
  }

  /** As a load at a fixed rate, whose client was paused so long that it must still send most. */
  @Test
  void aLoadThatIsCutShortWhileNothingIsUnderWayIsAnError() throws Exception {
    Driving unsent =
        new Driving(group.next(), System.nanoTime()) {
          @Override
          void start() {}
        };

    LoadResult result = Driving.run(List.of(unsent), SHORT, Duration.ZERO);

    assertThat(result.errors()).isEqualTo(1);
    assertThat(result.firstError()).isEqualTo("no answer for 0 ms after the end of the load");
  }
}
