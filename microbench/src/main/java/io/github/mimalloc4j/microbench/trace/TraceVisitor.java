package io.github.mimalloc4j.microbench.trace;

/** Is told of a trace's operations, one after the other in the order of time. */
@FunctionalInterface
public interface TraceVisitor {
  /**
   * Tells of an operation.
   *
   * @param nanos since the recording began
   * @param lane who does it
   * @param slot the buffer's number, which another one has when it is released
   * @param size the capacity that it gets; 0 for a release
   * @param direct of an allocation, which kind of memory
   */
  void operation(
      TraceOperation operation, long nanos, int lane, int slot, int size, boolean direct);
}
