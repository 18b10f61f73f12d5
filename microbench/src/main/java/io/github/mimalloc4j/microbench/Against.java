package io.github.mimalloc4j.microbench;

/**
 * Something that another allocator did better than ours.
 *
 * @param benchmark what was measured
 * @param parameters with what
 * @param allocator the other one
 * @param measure in what it was better
 * @param ratio its figure divided by ours; the median is below 1
 */
public record Against(
    String benchmark, String parameters, String allocator, String measure, Ratio ratio) {}
