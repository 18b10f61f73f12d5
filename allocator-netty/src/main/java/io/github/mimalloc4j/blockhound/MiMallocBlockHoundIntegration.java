package io.github.mimalloc4j.blockhound;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Allows the allocator its short waits on threads that must not block, such as event loops.
 *
 * <p>BlockHound finds this class on the class path. If the library is a named module, name it:
 *
 * <pre>{@code
 * BlockHound.install(new MiMallocBlockHoundIntegration());
 * }</pre>
 *
 * <p>These waits are not allowed, because they may take long:
 *
 * <ul>
 *   <li>{@code trim()} waits for another trim of the C library's memory,
 *   <li>the JDK waits for a garbage collection before an allocation fails at its limit of direct
 *       memory ({@code -XX:MaxDirectMemorySize}),
 *   <li>the application's own loggers and listeners wait.
 * </ul>
 */
@SuppressWarnings("exports") // of BlockHound, which users of this class have
public final class MiMallocBlockHoundIntegration implements BlockHoundIntegration {

  // Names instead of class literals, so that this class links where the rest of the library does
  // not. Monitors need no entry: BlockHound does not see them. Nor does class loading, which
  // BlockHound itself allows.

  private static final String LIBRARY = "io.github.mimalloc4j.";

  /** Called by BlockHound's search for integrations, or by applications. */
  public MiMallocBlockHoundIntegration() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    // Spins, yields, and then sleeps for a tenth of a millisecond, while another thread is in the
    // middle of a change. If a release were refused here, its reference would be lost.
    builder.allowBlockingCallsInside(LIBRARY + "core.memory.Pause", "spin");
    builder.allowBlockingCallsInside(LIBRARY + "core.memory.Pause", "after");
    builder.allowBlockingCallsInside(LIBRARY + "core.memory.Pause", "sleep");
    // Puts a task into the queue of an executor, whose lock is held for as long as that takes. A
    // thread that is refused stays in the queue of the lock: those behind it would wait for ever.
    builder.allowBlockingCallsInside(LIBRARY + "netty.threads.UpkeepThread", "execute");
    // Reads a file that the kernel makes up, which no disk delays. For the figures that are logged
    // when an allocation fails.
    builder.allowBlockingCallsInside(LIBRARY + "netty.system.ResidentMemory", "bytes");
  }
}
