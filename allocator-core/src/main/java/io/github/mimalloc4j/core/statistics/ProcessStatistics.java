package io.github.mimalloc4j.core.statistics;

/**
 * Figures of the process, which all allocators in it share.
 *
 * @param resident the bytes that the process has in the machine's memory, the Java heap and the JVM
 *     included; -1 where the system does not tell
 * @param nativeHeapTrims how often the C library was told to give freed memory back to the system
 * @param nativeHeapTrimmed the bytes that were resident before that and not after it, added up; 0
 *     where the system does not tell what is resident
 * @param nativeHeapTrimming {@code on}, {@code off}, or why it is not possible, for people
 */
public record ProcessStatistics(
    long resident, long nativeHeapTrims, long nativeHeapTrimmed, String nativeHeapTrimming) {}
