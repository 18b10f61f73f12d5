package io.github.mimalloc4j.microbench.trace;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a recorded thread was: an event loop by its name, or since its allocator kept memory for it
 * alone.
 */
public enum ThreadRole {
  EVENT_LOOP,
  PLAIN,
  VIRTUAL;

  /**
   * The default names of Netty's own groups, and those of the frameworks that name theirs
   * otherwise: Reactor Netty, Vert.x, gRPC, the AWS SDK.
   */
  private static final Pattern EVENT_LOOPS =
      Pattern.compile(
          "event-?_? ?loop|event-?executor|reactor-(http|tcp|udp)|-elg-|(^|-)(nio|epoll|kqueue"
              + "|io-?uring)-",
          Pattern.CASE_INSENSITIVE);

  /**
   * Guesses.
   *
   * @param group the name of the thread group
   */
  static ThreadRole of(@Nullable String name, @Nullable String group, boolean virtual) {
    if (virtual) {
      return VIRTUAL;
    }
    return isEventLoop(name) || isEventLoop(group) ? EVENT_LOOP : PLAIN;
  }

  private static boolean isEventLoop(@Nullable String name) {
    return name != null && EVENT_LOOPS.matcher(name).find();
  }
}
