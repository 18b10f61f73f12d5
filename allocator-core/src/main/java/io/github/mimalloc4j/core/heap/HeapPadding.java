package io.github.mimalloc4j.core.heap;

/**
 * 128 bytes that no field of {@link Heap} needs: heaps that threads share are made one after the
 * other, and lie side by side. Without them who takes the lock of one takes the cache line of the
 * other's away, or the line beside it: processors load them in pairs.
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
