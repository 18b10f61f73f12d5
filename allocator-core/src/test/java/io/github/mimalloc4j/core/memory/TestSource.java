package io.github.mimalloc4j.core.memory;

import java.util.HashSet;
import java.util.Set;

/** Addresses instead of memory. It counts what is out, and fails when told to. */
public final class TestSource implements MemorySource {

  private final Set<TestMemory> out = new HashSet<>();
  private long nextAddress = 1 << 20;
  private long usedBytes;
  private long peakBytes;
  private int calls;

  /** The most bytes that may be out at a time. */
  public long limit = Long.MAX_VALUE;

  /** Whether new memory says that only a garbage collection frees it. */
  public boolean freedByCollector;

  /** How many calls are answered before calls fail. */
  public int callsUntilFailure = Integer.MAX_VALUE;

  /** How many calls fail then. */
  public int failures;

  /** What they fail with. */
  public Throwable failure = new OutOfMemoryError("the test's failure");

  @Override
  public synchronized Memory allocate(int bytes) {
    calls++;
    if (callsUntilFailure == 0 && failures > 0) {
      failures--;
      throw TestSource.<RuntimeException>sneaky(failure);
    }
    callsUntilFailure = Math.max(0, callsUntilFailure - 1);
    if (usedBytes + bytes > limit) {
      throw new OutOfMemoryError("the test's limit of " + limit + " bytes");
    }
    TestMemory memory = new TestMemory(nextAddress, bytes);
    nextAddress += bytes;
    usedBytes += bytes;
    peakBytes = Math.max(peakBytes, usedBytes);
    out.add(memory);
    return memory;
  }

  @SuppressWarnings("unchecked")
  public static <T extends Throwable> T sneaky(Throwable failure) throws T {
    throw (T) failure;
  }

  public synchronized long usedBytes() {
    return usedBytes;
  }

  public synchronized long peakBytes() {
    return peakBytes;
  }

  public synchronized int calls() {
    return calls;
  }

  public final class TestMemory implements Memory {

    public final long address;
    public final int bytes;
    private final boolean freedByCollector = TestSource.this.freedByCollector;

    private TestMemory(long address, int bytes) {
      this.address = address;
      this.bytes = bytes;
    }

    public boolean isFreed() {
      synchronized (TestSource.this) {
        return !out.contains(this);
      }
    }

    @Override
    public void free() {
      synchronized (TestSource.this) {
        if (!out.remove(this)) {
          throw new AssertionError("memory was freed twice");
        }
        usedBytes -= bytes;
      }
    }

    @Override
    public boolean isFreedByCollector() {
      return freedByCollector;
    }
  }
}
