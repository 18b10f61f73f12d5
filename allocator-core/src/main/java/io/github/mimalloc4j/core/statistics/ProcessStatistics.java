package io.github.mimalloc4j.core.statistics;

/**
 * Figures of the process, which all allocators in it share.
 *
 * @param resident the resident bytes of the process, including the Java heap and the JVM; {@link
 *     #UNKNOWN} if the system does not report them, or they cannot be read
 * @param nativeHeapTrims how often the C library was told to give freed memory back to the system
 * @param nativeHeapTrimmed the sum of the bytes that were resident before these trims and not after
 *     them; 0 if the system does not report resident bytes
 * @param nativeHeapTrimming {@code on} or {@code off} for the allocator that tells, or {@code not
 *     possible:} and the reason, as text for people
 */
public record ProcessStatistics(
    long resident, long nativeHeapTrims, long nativeHeapTrimmed, String nativeHeapTrimming) {

  /** The value of {@link #resident} if the system does not report it, or it cannot be read: -1. */
  public static final long UNKNOWN = -1;
}
