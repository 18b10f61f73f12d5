package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.application.HttpServer;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Range;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code http-server}: runs a small HTTP server. */
@Command(
    name = "http-server",
    description =
        "Serves GET /plaintext, POST /echo and GET /stats with one allocator until it is killed.")
public final class HttpServerCommand extends AbstractCommand {
  @Option(
      names = "--allocator",
      required = true,
      description = "Allocator: ${COMPLETION-CANDIDATES}.")
  private AllocatorKind allocator;

  @Range(min = "0", max = "65535")
  @Option(names = "--port", required = true, description = "Port to listen on, 0 for any free one.")
  private int port;

  @Option(names = "--host", description = "Address to listen on.")
  private String host = "127.0.0.1";

  @Option(names = "--tls", description = "Uses TLS with a self-signed certificate.")
  private boolean tls;

  @Override
  public Integer call() throws Exception {
    HttpServer server = HttpServer.start(new HttpServer.Config(allocator, host, port, tls));
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "http-server-shutdown"));
    out().println("listening on " + server.url() + " with " + allocator.optionName());
    out().flush();
    server.awaitClose();
    return 0;
  }
}
