package io.github.mimalloc4j.microbench.endtoend;

import com.sun.net.httpserver.HttpServer;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.application.Environment;
import io.github.mimalloc4j.microbench.application.Server;
import io.github.mimalloc4j.microbench.application.Transport;
import io.github.mimalloc4j.microbench.application.Workload;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.CommandLines;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code application-server}: runs the server of one workload. */
@Command(
    name = "application-server",
    description = {
      "Runs the server of one end-to-end application with one allocator until it is killed.",
      "Prints two ports: the application's own, and one that reports the memory of the allocator",
      "and the process over HTTP."
    })
public final class ApplicationServerCommand extends AbstractCommand {
  /** The beginning of the line with the ports. */
  static final String LISTENING = "listening on ";

  @Option(
      names = "--app",
      required = true,
      converter = WorkloadOption.One.class,
      description = "Application, as NAME:VARIANT (see end-to-end).")
  private Workload workload;

  @Option(
      names = "--allocator",
      required = true,
      description = "Allocator: mimalloc, adaptive, pooled, unpooled, or a class.")
  private AllocatorSource allocator;

  @Option(names = "--transport", description = "Transport of the server: ${COMPLETION-CANDIDATES}.")
  private Transport transport = Transport.NIO;

  @Range(min = "1", max = "1024")
  @Option(names = "--event-loops", description = "Number of event loops of the server.")
  private int eventLoops = 1;

  private final Function<AllocatorSource, ByteBufAllocator> maker;

  /** Creates the command for a user, which leaves Netty's default allocator as it is. */
  public ApplicationServerCommand() {
    this(AllocatorSource::create);
  }

  private ApplicationServerCommand(Function<AllocatorSource, ByteBufAllocator> maker) {
    this.maker = maker;
  }

  /**
   * Runs only this command, in a process started by another command.
   *
   * @param args the command's options
   */
  public static void main(String[] args) {
    ChildProcess.endWithParent();
    DefaultAllocator.install();
    System.exit(CommandLines.of(new ApplicationServerCommand(DefaultAllocator::of)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (!transport.isAvailable()) {
      throw misuse("--transport " + transport.optionName() + " is not available on this system");
    }
    ByteBufAllocator made = maker.apply(allocator);
    try (Server server = workload.server().start(new Environment(made, transport, eventLoops))) {
      HttpServer statistics = ServerStatistics.serve(allocator, made);
      int port = statistics.getAddress().getPort();
      out().println(LISTENING + server.port() + ", statistics on http://127.0.0.1:" + port);
      out().flush();
      new CountDownLatch(1).await();
    }
    return 0;
  }
}
