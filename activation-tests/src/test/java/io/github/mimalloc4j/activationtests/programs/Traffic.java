package io.github.mimalloc4j.activationtests.programs;

import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.Callable;

/**
 * Brackets the traffic of a framework's program: what Netty's default allocator had to do with it.
 */
final class Traffic {

  /** Many times the size of a socket's buffers. */
  static final int BYTES = 1 << 20;

  /** How often it is sent. All of it together is far more than a program holds at once. */
  static final int EXCHANGES = 20;

  private Traffic() {}

  /**
   * Runs it repeatedly, and reports what came of it.
   *
   * @param exchange returns whether all that was sent came back
   */
  static void report(Callable<Boolean> exchange) throws Exception {
    Report.value("used bytes before", Report.usedBytes());
    boolean echoed = true;
    long most = 0; // upkeep may give back before the end what an exchange took
    for (int i = 0; i < EXCHANGES; i++) {
      echoed &= exchange.call();
      most = Math.max(most, Report.usedBytes());
    }
    Report.value("echoed", echoed);
    Report.value("most used bytes", most);
    Report.value("used bytes", Report.usedBytes());
    Report.allocator("default", ByteBufAllocator.DEFAULT);
  }
}
