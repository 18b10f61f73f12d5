package io.github.mimalloc4j.core.heap;

/**
 * 128 bytes of padding in front of the fields of {@link Heap}. Shared heaps are created one after
 * the other and lie side by side in memory. Without the padding, a thread that takes the lock of
 * one heap takes away the cache line of another heap, or the line next to it: processors load lines
 * in pairs.
 */
@SuppressWarnings("unused")
abstract class HeapPadding {

  private long p0;
  private long p1;
  private long p2;
  private long p3;
  private long p4;
  private long p5;
  private long p6;
  private long p7;
  private long p8;
  private long p9;
  private long p10;
  private long p11;
  private long p12;
  private long p13;
  private long p14;
  private long p15;
}
