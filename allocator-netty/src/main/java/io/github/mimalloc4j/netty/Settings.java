package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import java.util.function.Consumer;

/**
 * What an allocator was built with, checked.
 *
 * @param preferDirect whether a buffer of no particular kind is a direct one
 * @param directPolicy how much direct memory it takes and keeps
 * @param arrayPolicy how much memory on the Java heap it takes and keeps
 * @param maxSharedHeaps how many heaps threads without one of their own share at most
 * @param fallBackToHeap whether a direct buffer for which there is no memory becomes a heap buffer
 * @param outOfMemoryListener is told of each allocation that fails
 * @param checkedRelease whether every release is a compare-and-set
 * @param zeroOnRelease whether the bytes of released buffers are erased
 * @param debug whether writes to memory that no buffer has are looked for
 * @param misuseListener is told of what is found then
 * @param jmx whether figures can be read through JMX
 */
record Settings(
    boolean preferDirect,
    MemoryPolicy directPolicy,
    MemoryPolicy arrayPolicy,
    int maxSharedHeaps,
    boolean fallBackToHeap,
    Consumer<? super OutOfMemoryEvent> outOfMemoryListener,
    boolean checkedRelease,
    boolean zeroOnRelease,
    boolean debug,
    Consumer<? super MisuseEvent> misuseListener,
    boolean jmx) {

  /** Whether buffers are to have a {@link Guard}. */
  boolean guarded() {
    return checkedRelease || zeroOnRelease || debug;
  }
}
