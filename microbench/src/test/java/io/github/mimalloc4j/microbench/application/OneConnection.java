package io.github.mimalloc4j.microbench.application;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One client, some requests, and what came of them. */
final class OneConnection {
  private OneConnection() {}

  /**
   * Sends requests together.
   *
   * @return of each what was wrong, or "correct", in the order of completion
   */
  static List<String> run(Connector connector, int port, int requests) throws Exception {
    EventLoopGroup group = Transport.NIO.newGroup(1);
    try {
      Client client = connector.connect(group.next(), port);
      List<String> outcomes = new ArrayList<>();
      CountDownLatch completed = new CountDownLatch(requests);
      client
          .executor()
          .execute(
              () -> {
                for (int i = 0; i < requests; i++) {
                  client.send(
                      error -> {
                        outcomes.add(error == null ? "correct" : error);
                        completed.countDown();
                      });
                }
                client.flush();
              });
      if (!completed.await(20, TimeUnit.SECONDS)) {
        throw new AssertionError("requests under way for ever: " + completed.getCount());
      }
      client.executor().submit(client::close).sync();
      return outcomes;
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }
  }

  /** The same with a server that answers with these bytes, whatever is asked, and leaves. */
  static List<String> runAgainst(Connector connector, String answer, int requests)
      throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> answerOnce(listener, answer));
      server.start();
      List<String> outcomes = run(connector, listener.getLocalPort(), requests);
      server.join();
      return outcomes;
    }
  }

  private static void answerOnce(ServerSocket listener, String answer) {
    try (Socket socket = listener.accept()) {
      InputStream in = socket.getInputStream();
      if (in.read(new byte[1024]) > 0) {
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        socket.shutdownOutput();
        in.readAllBytes(); // A close with unread bytes would take the answer back.
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
