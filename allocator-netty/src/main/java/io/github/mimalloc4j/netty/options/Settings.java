package io.github.mimalloc4j.netty.options;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.netty.buffers.Guard;

/**
 * What an allocator was built with, checked.
 *
 * @param preferDirect whether a buffer of no particular kind is a direct one
 * @param directPolicy how much direct memory it takes and keeps
 * @param arrayPolicy how much memory on the Java heap it takes and keeps
 * @param maxSharedThreadHeaps how many heaps threads without one of their own share at most
 * @param checkedRelease whether every release is a compare-and-set
 * @param zeroOnRelease whether the bytes of released buffers are erased
 * @param debug whether writes to memory that no buffer has are looked for
 * @param jmx whether figures can be read through JMX
 */
public record Settings(
    boolean preferDirect,
    MemoryPolicy directPolicy,
    MemoryPolicy arrayPolicy,
    int maxSharedThreadHeaps,
    boolean checkedRelease,
    boolean zeroOnRelease,
    boolean debug,
    boolean jmx) {

  /** Whether buffers are to have a {@link Guard}. */
  public boolean guarded() {
    return checkedRelease || zeroOnRelease || debug;
  }
}
