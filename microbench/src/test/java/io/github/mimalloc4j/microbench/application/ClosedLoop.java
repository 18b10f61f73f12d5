package io.github.mimalloc4j.microbench.application;

import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Some connections to a server, each with as many requests under way as the workload says. */
final class ClosedLoop implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 30;

  private final EventLoopGroup loops = Transport.NIO.newGroup(2);
  private final List<Client> clients = new ArrayList<>();
  private final AtomicInteger correct = new AtomicInteger();
  private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
  private final Workload workload;

  /** A request of theirs is a mebibyte, or 600 buffers. */
  private static final Set<String> LARGE = Set.of("tls:download", "resp:lrange");

  /** What to send on each connection for a thorough test, which takes about as long for all. */
  static int someRequests(Workload workload) {
    return LARGE.contains(workload.name()) ? 5 : 70;
  }

  ClosedLoop(Workload workload, int port, int connections) throws Exception {
    this.workload = workload;
    try {
      for (int i = 0; i < connections; i++) {
        clients.add(workload.client().connect(loops.next(), port));
      }
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  /** Sends so many on each connection, up to an error, and waits until all are completed. */
  void run(int requests) throws InterruptedException {
    await(start(requests));
  }

  /**
   * Sends so many on each connection at once, and closes it when the first of them is answered: in
   * the midst of the others.
   */
  void leave(int requests) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(requests * clients.size());
    for (Client client : clients) {
      client.executor().execute(() -> new Leaver(client, left).start(requests));
    }
    await(left);
  }

  private void await(CountDownLatch completed) throws InterruptedException {
    if (!completed.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError(
          "%s: %d requests under way for ever".formatted(workload.name(), completed.getCount()));
    }
  }

  /**
   * Sends so many on each connection, up to an error.
   *
   * @return counts down with each that is completed
   */
  CountDownLatch start(int requests) {
    CountDownLatch left = new CountDownLatch(requests * clients.size());
    for (Client client : clients) {
      client.executor().execute(() -> new Sender(client, requests, left).start());
    }
    return left;
  }

  int correct() {
    return correct.get();
  }

  @Nullable String firstError() {
    return firstError.get();
  }

  private void count(@Nullable String error) {
    if (error == null) {
      correct.incrementAndGet();
    } else {
      firstError.compareAndSet(null, error);
    }
  }

  /** On the thread of one client. */
  private final class Sender {
    private final Client client;
    private final CountDownLatch left;
    private int unsent;

    Sender(Client client, int requests, CountDownLatch left) {
      this.client = client;
      this.left = left;
      unsent = requests;
    }

    void start() {
      for (int i = 0; i < workload.pipelined() && unsent > 0; i++) {
        send();
      }
      client.flush();
    }

    private void send() {
      unsent--;
      AtomicInteger calls = new AtomicInteger();
      client.send(
          error -> {
            if (calls.incrementAndGet() > 1) {
              firstError.set("a request was completed twice");
            }
            completed(error);
          });
    }

    private void completed(@Nullable String error) {
      if (!client.executor().inEventLoop()) {
        firstError.set("completed by a thread that is not the client's");
      } else {
        count(error);
      }
      for (; unsent > 0 && firstError.get() != null; unsent--) {
        left.countDown(); // What is under way is still waited for.
      }
      if (unsent > 0) {
        send();
        client.flush();
      }
      left.countDown();
    }
  }

  /** On the thread of one client. */
  private final class Leaver {
    private final Client client;
    private final CountDownLatch left;
    private boolean closed;

    Leaver(Client client, CountDownLatch left) {
      this.client = client;
      this.left = left;
    }

    void start(int requests) {
      for (int i = 0; i < requests; i++) {
        client.send(this::completed);
      }
      client.flush();
    }

    private void completed(@Nullable String error) {
      if (!closed) {
        closed = true; // first, for the close completes the others
        count(error);
        client.close();
      }
      left.countDown();
    }
  }

  @Override
  public void close() {
    for (Client client : clients) {
      client.executor().submit(client::close).syncUninterruptibly();
    }
    ChannelServer.shutDown(loops);
  }
}
