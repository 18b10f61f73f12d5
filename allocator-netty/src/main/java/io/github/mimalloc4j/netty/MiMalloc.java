package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.netty.installation.Installation;
import io.netty.buffer.ByteBufAllocator;

/**
 * Makes {@link MiMallocByteBufAllocator#DEFAULT} the default allocator of the JVM: {@link
 * ByteBufAllocator#DEFAULT}, the default of every channel, and whatever frameworks derive from
 * these.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *   MiMalloc.install();
 *   ...
 * }
 * }</pre>
 *
 * <p>Netty chooses its default once, on first use, so call {@link #install} before that. The agent
 * does the same without a change to the program.
 */
public final class MiMalloc {

  private MiMalloc() {}

  /**
   * Makes this library's allocator Netty's default, unless Netty has already chosen one.
   * Initialises Netty. Never throws an exception: on failure, Netty uses its own default, and a
   * warning is logged with the cause and the remedy. If {@code -Dio.netty.allocator.type} names
   * another allocator, that one is used. If the property is not set, it stays so: without the
   * agent, copies of Netty in other class loaders keep their default. Further calls have no effect.
   * Thread-safe.
   *
   * @return whether {@link ByteBufAllocator#DEFAULT} is this library's allocator, whether this
   *     method or the agent installed it
   */
  public static boolean install() {
    return Installation.install();
  }
}
