package io.github.mimalloc4j.activationtests.programs;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.simulacron.common.cluster.ClusterSpec;
import com.datastax.oss.simulacron.server.BoundCluster;
import com.datastax.oss.simulacron.server.Server;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The driver of Cassandra, with the server that the driver itself is tested with. */
public final class CassandraProgram {

  private static final String QUERY = "SELECT body FROM texts WHERE id = 1";

  /** More than the few seconds that are the default. */
  private static final Duration MOST_WAITING = Duration.ofMinutes(1);

  private CassandraProgram() {}

  public static void main(String[] args) throws Exception {
    String text = "x".repeat(Traffic.BYTES);
    try (Server server = Server.builder().build();
        BoundCluster cluster = server.register(ClusterSpec.builder().withNodes(1))) {
      cluster.prime(when(QUERY).then(rows().row("body", text).columnTypes("body", "varchar")));
      InetSocketAddress node = (InetSocketAddress) cluster.node(0).getAddress();
      try (CqlSession session =
          CqlSession.builder()
              .withConfigLoader(patient())
              .addContactPoint(node)
              .withLocalDatacenter(cluster.node(0).getDataCenter().getName())
              .build()) {
        SimpleStatement query = SimpleStatement.newInstance(QUERY).setTimeout(MOST_WAITING);
        Traffic.report(() -> text.equals(session.execute(query).one().getString("body")));
      }
    }
    System.exit(0);
  }

  private static DriverConfigLoader patient() {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, MOST_WAITING)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, MOST_WAITING)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, MOST_WAITING)
        .build();
  }
}
