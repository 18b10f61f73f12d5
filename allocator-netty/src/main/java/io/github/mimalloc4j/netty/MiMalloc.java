package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.netty.installation.Installation;
import io.netty.buffer.ByteBufAllocator;

/**
 * Makes {@link MiMallocByteBufAllocator#DEFAULT} the allocator of a whole JVM: {@link
 * ByteBufAllocator#DEFAULT}, what each channel has by default, and what frameworks derive from
 * them.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *   MiMalloc.install();
 *   ...
 * }
 * }</pre>
 *
 * <p>Netty chooses its default once, when it is first used; so this has to come before. The
 * alternative that needs no line of code is the agent.
 */
public final class MiMalloc {

  private MiMalloc() {}

  /**
   * Makes Netty's default allocator this library's, if Netty has not chosen one yet, and looks
   * whether it is, which initialises Netty. Never throws an exception. If it cannot be done, Netty
   * takes its own default, and a warning says why and what to do. A {@code
   * -Dio.netty.allocator.type} that names another allocator is obeyed. Thread-safe.
   *
   * @return whether {@link ByteBufAllocator#DEFAULT} is this library's, also if the agent made it
   *     so. Further calls return the same and do nothing
   */
  public static boolean install() {
    return Installation.activateAndLook();
  }
}
