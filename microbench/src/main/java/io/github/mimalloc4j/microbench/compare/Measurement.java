package io.github.mimalloc4j.microbench.compare;

/**
 * What one fork found out.
 *
 * @param nanos time of an operation by the {@link Target.Clock} of its row: the median of the
 *     measured iterations
 * @param drift by what part the last third of the iterations was slower (or, below 0, faster) than
 *     the first: far from 0 as long as the compiler is at work
 * @param peakUsed bytes that the allocator held at most
 * @param peakLive bytes that the benchmark had alive at most
 * @param garbage bytes of Java objects that an operation made
 */
record Measurement(double nanos, double drift, double peakUsed, double peakLive, double garbage) {}
