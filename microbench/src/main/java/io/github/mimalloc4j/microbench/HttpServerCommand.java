package io.github.mimalloc4j.microbench;

import java.io.PrintStream;
import java.util.List;
import java.util.Set;

/** The command {@code http-server}. */
final class HttpServerCommand {
  static final String SYNOPSIS =
      "--allocator mimalloc|adaptive|pooled|unpooled --port N [--host 127.0.0.1] [--tls]";
  static final String SUMMARY =
      "Serves GET /plaintext, POST /echo and GET /stats with one allocator until it is killed.";

  private HttpServerCommand() {}

  static int run(List<String> args, PrintStream out, PrintStream err) throws Exception {
    HttpServer.Config config = parse(args);
    HttpServer server = HttpServer.start(config);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "http-server-shutdown"));
    out.println("listening on " + server.url() + " with " + config.allocator().optionName());
    out.flush();
    server.awaitClose();
    return 0;
  }

  static HttpServer.Config parse(List<String> args) throws UsageException {
    CommandLine line =
        CommandLine.parse(args, Set.of("--allocator", "--port", "--host"), Set.of("--tls"));
    return new HttpServer.Config(
        line.requiredChoice("--allocator", AllocatorKind.class),
        line.value("--host", "127.0.0.1"),
        line.requiredInt("--port", 0, 65535),
        line.flag("--tls"));
  }
}
