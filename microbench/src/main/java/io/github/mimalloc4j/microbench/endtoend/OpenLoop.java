package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.Client;
import io.github.mimalloc4j.microbench.application.LoadResult;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A load at a fixed rate: requests are due at times that were settled before, whatever the server
 * does, and the latency of each counts from the time at which it was due. So a server that stalls
 * is charged with all requests that came in meanwhile, and not with those alone that it had already
 * taken (the mistake that is called coordinated omission).
 *
 * <p>Requests that belong together are due together: as many as a connection pipelines. Connections
 * take turns.
 *
 * <p>An event loop that sleeps wakes up to a millisecond late. So one that has less than that to
 * wait polls instead, and keeps a processor busy.
 */
final class OpenLoop {
  /** More than what a sleeping event loop is late. */
  private static final long POLLED_NANOS = 2_000_000;

  /** Above this, an event loop of NIO sleeps for a millisecond instead. */
  private static final long POLL_NANOS = 2_000;

  private OpenLoop() {}

  /**
   * Loads a server for a time, and waits for the answers to what was sent until then.
   *
   * @param pipelined requests that are due together, from 1
   * @param rate requests in a second, above 0
   */
  static LoadResult run(List<Client> clients, int pipelined, double rate, Duration time)
      throws InterruptedException {
    Map<EventExecutor, List<Client>> loops = new LinkedHashMap<>();
    for (Client client : clients) {
      loops.computeIfAbsent(client.executor(), loop -> new ArrayList<>()).add(client);
    }
    // Each loop has its share of the rate, and begins in its turn.
    double interval = 1e9 * pipelined / rate;
    long start = System.nanoTime();
    List<Pacer> pacers = new ArrayList<>();
    for (Map.Entry<EventExecutor, List<Client>> loop : loops.entrySet()) {
      long first = start + (long) (pacers.size() * interval);
      pacers.add(
          new Pacer(
              loop.getKey(),
              loop.getValue(),
              pipelined,
              new Schedule(first, interval * loops.size(), start + time.toNanos())));
    }
    LoadResult result = Driving.run(List.copyOf(pacers), time, Driving.PATIENCE);
    Histogram latency = LoadResult.emptyHistogram();
    Histogram late = LoadResult.emptyHistogram();
    for (Pacer pacer : pacers) {
      latency.add(pacer.latency);
      late.add(pacer.late);
    }
    return result.with(LoadResult.Timing.of(latency, late));
  }

  /** When something is due, as times of {@link System#nanoTime}. */
  private record Schedule(long first, double interval, long end) {
    long due(long number) {
      return first + (long) (number * interval);
    }
  }

  /** Belongs to its event loop. */
  private static final class Pacer extends Driving {
    private final EventExecutor loop;
    private final List<Client> clients;
    private final int pipelined;
    private final Schedule schedule;

    private final Histogram latency = LoadResult.emptyHistogram();
    private final Histogram late = LoadResult.emptyHistogram();
    private long next;

    Pacer(EventExecutor loop, List<Client> clients, int pipelined, Schedule schedule) {
      super(loop, schedule.first());
      this.loop = loop;
      this.clients = clients;
      this.pipelined = pipelined;
      this.schedule = schedule;
    }

    /** Sends what is due: one batch on each connection at most, so that answers are read, too. */
    @Override
    void start() {
      for (int i = 0; i < clients.size() && !isOver() && untilNext() <= 0; i++) {
        send(clients.get((int) (next % clients.size())), schedule.due(next));
        next++;
      }
      if (!isOver()) {
        long wait = untilNext();
        long sleep = wait > POLLED_NANOS ? wait - POLLED_NANOS / 2 : Math.min(wait, POLL_NANOS);
        loop.schedule(this::start, Math.max(0, sleep), TimeUnit.NANOSECONDS);
      } else if (underWay() == 0) {
        finish();
      }
    }

    private boolean isOver() {
      return schedule.due(next) - schedule.end() >= 0;
    }

    private long untilNext() {
      return schedule.due(next) - System.nanoTime();
    }

    private void send(Client client, long due) {
      late.recordValue(System.nanoTime() - due);
      sending(pipelined);
      for (int i = 0; i < pipelined; i++) {
        client.send(error -> answered(error, due));
      }
      client.flush();
    }

    private void answered(@Nullable String error, long due) {
      count(error);
      if (error == null) {
        latency.recordValue(lastNanos() - due);
      }
      if (underWay() == 0 && isOver()) {
        finish();
      }
    }
  }
}
