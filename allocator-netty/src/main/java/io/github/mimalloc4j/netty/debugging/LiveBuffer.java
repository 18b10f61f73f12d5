package io.github.mimalloc4j.netty.debugging;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The sample of a buffer in use, which describes the buffer's allocation. It refers to neither the
 * buffer nor the thread, so it keeps neither reachable.
 *
 * <p>It is a {@link Throwable}, although never thrown, because that is the fastest way to capture a
 * stack trace: the JVM creates the frames only when they are read.
 *
 * <p>Thread-safe.
 */
final class LiveBuffer extends Throwable {

  private static final long serialVersionUID = 1;

  private static final int MOST_FRAMES = 32;

  /** Derived from a class, so that it is also right for a relocated Netty. */
  private static final String NETTYS_BUFFERS = ByteBuf.class.getPackageName() + '.';

  private static final String OWN_PACKAGE = LiveBuffer.class.getPackageName();

  private static final String LIBRARY = OWN_PACKAGE.substring(0, OWN_PACKAGE.lastIndexOf('.') + 1);

  /**
   * The prefixes of the names of classes that are not allocation sites. Each name is compared with
   * a dot appended.
   */
  private static final String[] NO_SITES = {
    NETTYS_BUFFERS,
    LIBRARY + "MiMallocByteBufAllocator.",
    LIBRARY + "buffers.",
    LIBRARY + "threads.",
    LIBRARY + "debugging.",
    "java.lang.reflect.",
    "jdk.internal.reflect."
  };

  final boolean direct;
  final int blockBytes;
  final long allocatedNanos = System.nanoTime();
  final String thread = Thread.currentThread().getName();

  LiveBuffer(boolean direct, int blockBytes) {
    super(null, null, false, true);
    this.direct = direct;
    this.blockBytes = blockBytes;
  }

  /** Returns the frames from the allocation site on. The first call is slow. */
  synchronized StackTraceElement[] frames() {
    StackTraceElement[] all = getStackTrace();
    int site = 0;
    while (site < all.length && isNoSite(all[site])) {
      site++;
    }
    if (site == all.length) {
      site = 0; // only frames of the allocator, as in its own tests
    }
    if (site == 0 && all.length <= MOST_FRAMES) {
      return all;
    }
    StackTraceElement[] kept =
        Arrays.copyOfRange(all, site, Math.min(all.length, site + MOST_FRAMES));
    setStackTrace(kept);
    return kept;
  }

  private static boolean isNoSite(StackTraceElement frame) {
    String type = frame.getClassName() + '.';
    for (String beginning : NO_SITES) {
      if (type.startsWith(beginning)) {
        return true;
      }
    }
    return false;
  }
}
