package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.lang.StackWalker.StackFrame;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects writes to bytes that belong to no buffer, and remembers who last allocated and released
 * its block.
 *
 * <p>One rule covers both kinds of invalid writes: <i>all bytes of the allocator's memory outside
 * the capacity of a buffer in use are poison</i>, once it was obtained. A free block with any other
 * byte was written to after its release, or its memory after that of an earlier block. A block in
 * use with any other byte beyond the capacity was written to beyond its buffer's end.
 *
 * <pre>
 *   free     [ poison poison poison poison poison poison ]
 *   in use   [ 0 ... the buffer's bytes ... capacity | poison, {@link #SPARE_BYTES} or more ]
 * </pre>
 */
public final class DebugGuard extends Guard {

  /** The number of poisoned bytes reserved behind each buffer. */
  public static final int SPARE_BYTES = 16;

  /** Neither zero nor text, and negative at any width. */
  static final Filler POISON = new Filler((byte) 0xDB);

  private static final StackWalker WALKER = StackWalker.getInstance();

  private final MisuseReports reports;

  /** The last allocation. For a block left by growth, the allocation of the buffer that grew. */
  private @Nullable BufferTrace allocation;

  /** The last release; null while the buffer is in use, and if there was no Java heap for it. */
  private volatile @Nullable BufferTrace release;

  DebugGuard(MisuseReports reports) {
    this.reports = reports;
  }

  @Override
  public int spareBytes() {
    return SPARE_BYTES;
  }

  @Override
  public boolean take(MiMallocByteBuf block, int capacity) {
    int damaged = POISON.firstOther(block, 0, block.blockBytes());
    if (damaged >= 0) {
      BufferTrace last = release;
      reports.report(true, block, damaged, last != null ? last : allocation);
      if (reports.quarantine(block.blockBytes())) {
        return false;
      }
      POISON.fill(block, 0, block.blockBytes());
    }
    allocation = new BufferTrace("allocated", capacity, null);
    release = null;
    return true;
  }

  @Override
  public void checkEnd(MiMallocByteBuf buffer) {
    checkEnd(buffer, allocation);
  }

  @Override
  public void resize(MiMallocByteBuf buffer, int newCapacity) {
    POISON.fill(buffer, newCapacity, buffer.capacity()); // nothing if it grows
  }

  @Override
  public void inherit(Guard grown) {
    allocation = ((DebugGuard) grown).allocation;
  }

  /** Also called when a report threw an error: the damage must not be reported again. */
  @Override
  public void putBack(MiMallocByteBuf block) {
    POISON.fill(block, 0, block.blockBytes());
  }

  @Override
  public void release(MiMallocByteBuf buffer) {
    try {
      BufferTrace trace = traceOfRelease(buffer);
      release = trace;
      checkEnd(buffer, trace != null ? trace : allocation);
    } finally { // whatever was thrown, the block is free, so it is poison
      POISON.fill(buffer, 0, buffer.blockBytes());
    }
  }

  /** Returns null if there is no Java heap for a trace: a release must not fail because of that. */
  private @Nullable BufferTrace traceOfRelease(MiMallocByteBuf buffer) {
    try {
      return new BufferTrace("released", buffer.capacity(), allocation);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private void checkEnd(MiMallocByteBuf buffer, @Nullable BufferTrace last) {
    int damaged = firstBehindEnd(buffer);
    if (damaged >= 0) {
      try {
        reports.report(false, buffer, damaged, last);
      } finally { // report it once
        POISON.fill(buffer, buffer.capacity(), buffer.blockBytes());
      }
    }
  }

  /** Returns the index of the first damaged byte; -1 also if there is no Java heap to look. */
  private static int firstBehindEnd(MiMallocByteBuf buffer) {
    try {
      return POISON.firstOther(buffer, buffer.capacity(), buffer.blockBytes());
    } catch (OutOfMemoryError e) {
      return -1;
    }
  }

  @Override
  public IllegalReferenceCountException explain(IllegalReferenceCountException exception) {
    BufferTrace release = this.release;
    if (release != null) {
      exception.initCause(release);
    }
    return exception;
  }

  /**
   * Throws a more helpful exception than Netty would. Netty checks each access in a method that
   * cannot be overridden, and throws an exception that says nothing about the buffer. But that
   * method reads the count first, and so this one is called.
   */
  @Override
  public void readFree() {
    if (release != null && WALKER.walk(DebugGuard::isCheckOfAccess)) {
      throw explain(new IllegalReferenceCountException(0));
    }
  }

  private static boolean isCheckOfAccess(Stream<StackFrame> frames) {
    return frames
        .map(StackFrame::getMethodName)
        .filter(name -> !name.startsWith("isAccessible")) // of the buffer, and of derived ones
        .dropWhile("readFree"::equals) // this guard's, and that of one around it
        .skip(1) // refCnt()
        .findFirst()
        .filter("ensureAccessible"::equals)
        .isPresent();
  }
}
