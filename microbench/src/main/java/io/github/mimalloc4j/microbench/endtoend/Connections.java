package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.Client;
import io.github.mimalloc4j.microbench.application.Connector;
import io.github.mimalloc4j.microbench.application.ExternalTool;
import io.github.mimalloc4j.microbench.application.LoadResult;
import io.github.mimalloc4j.microbench.application.Transport;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The connections of one load, on event loops of their own. */
final class Connections implements AutoCloseable {
  private static final int CLOSE_SECONDS = 5;

  private final EventLoopGroup group;
  private final List<Client> clients = new ArrayList<>();

  private Connections(int threads) {
    group = Transport.NIO.newGroup(threads);
  }

  /**
   * Connects to a server.
   *
   * @throws IOException if one of the connections cannot be made
   */
  static Connections open(Connector connector, int port, int count)
      throws IOException, InterruptedException {
    Connections opened = new Connections(ExternalTool.threads(count));
    try {
      for (int i = 0; i < count; i++) {
        opened.clients.add(connector.connect(opened.group.next(), port));
      }
      return opened;
    } catch (InterruptedException e) {
      opened.close();
      throw e;
    } catch (Exception e) {
      opened.close();
      throw new IOException("cannot connect to the server: " + e.getMessage(), e);
    }
  }

  List<Client> clients() {
    return clients;
  }

  /**
   * Adds an error to a result without any if a connection was lost: perhaps after its last answer,
   * or by an answer too many.
   */
  LoadResult checked(LoadResult result) {
    for (Client client : clients) {
      String lost = client.executor().submit(client::lost).syncUninterruptibly().getNow();
      if (lost != null && result.errors() == 0) {
        return result.withError(lost);
      }
    }
    return result;
  }

  @Override
  public void close() {
    for (Client client : clients) {
      client.executor().execute(client::close);
    }
    group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
