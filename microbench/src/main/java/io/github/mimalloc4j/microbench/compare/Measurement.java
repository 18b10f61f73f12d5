package io.github.mimalloc4j.microbench.compare;

/**
 * What one fork found out.
 *
 * @param nanos processor time of an operation, of the thread that does it: the median of the
 *     measured iterations. On a quiet machine this is JMH's time; on a busy one it leaves out the
 *     time in which other programs had the processor
 * @param drift by what part the last third of the iterations was slower (or, below 0, faster) than
 *     the first: far from 0 as long as the compiler is at work
 * @param peakUsed bytes that the allocator held at most
 * @param peakLive bytes that the benchmark had alive at most
 */
record Measurement(double nanos, double drift, double peakUsed, double peakLive) {}
