package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.Client;
import io.github.mimalloc4j.microbench.application.LoadResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A load that the server paces: each connection sends a number of requests together, and the next
 * as many when all of them are answered. So do wrk and redis-benchmark, but h2load sends another
 * request for each answer.
 */
final class ClosedLoop {
  private ClosedLoop() {}

  /**
   * Loads a server for a time, and waits for the answers to what was sent until then.
   *
   * @param pipelined requests that a connection sends together, from 1
   */
  static LoadResult run(List<Client> clients, int pipelined, Duration time)
      throws InterruptedException {
    return run(clients, pipelined, time, Driving.PATIENCE);
  }

  /** The same with a limit to the waiting after that time. */
  static LoadResult run(List<Client> clients, int pipelined, Duration time, Duration patience)
      throws InterruptedException {
    long start = System.nanoTime();
    List<Driving> drivers = new ArrayList<>();
    clients.forEach(client -> drivers.add(new Driver(client, pipelined, start, time)));
    return Driving.run(drivers, time, patience);
  }

  /** Belongs to the connection's event loop. */
  private static final class Driver extends Driving {
    private final Client client;
    private final int pipelined;
    private final long end;

    Driver(Client client, int pipelined, long start, Duration time) {
      super(client.executor(), start);
      this.client = client;
      this.pipelined = pipelined;
      this.end = start + time.toNanos();
    }

    @Override
    void start() {
      sending(pipelined);
      for (int i = 0; i < pipelined; i++) {
        client.send(this::answered);
      }
      client.flush();
    }

    private void answered(@Nullable String error) {
      count(error);
      if (underWay() == 0) {
        // A connection with an error may have lost its place in the answers.
        if (errors() > 0 || lastNanos() - end >= 0) {
          finish();
        } else {
          start();
        }
      }
    }
  }
}
