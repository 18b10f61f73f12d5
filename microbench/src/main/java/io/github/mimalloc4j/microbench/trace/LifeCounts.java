package io.github.mimalloc4j.microbench.trace;

/**
 * How many buffers and events a recording has, and what of them it does not tell.
 *
 * @param allocations events of allocations, those that belong to reallocations not counted
 * @param releases events of releases
 * @param reallocations events of buffers that got other memory
 * @param liveBefore buffers that were released or reallocated, and were there when the recording
 *     began
 * @param liveAtEnd buffers that were not released when it ended, those whose release is missing not
 *     counted
 * @param unknownReleases releases and reallocations at an address where a recorded buffer was
 *     released already: the allocation in between was dropped. They are not replayed
 * @param missingReleases buffers at whose address another one was allocated: their releases were
 *     dropped. They are released then, by their last thread
 * @param withoutAddress buffers whose events do not tell where they are. Their releases are
 *     assigned by size and thread
 * @param direct allocations of direct memory
 * @param peakLiveBytes the most bytes that were live at the same time
 * @param peakHeapBytes the most bytes of the Java heap among these, at any time
 */
public record LifeCounts(
    long allocations,
    long releases,
    long reallocations,
    long liveBefore,
    long liveAtEnd,
    long unknownReleases,
    long missingReleases,
    long withoutAddress,
    long direct,
    long peakLiveBytes,
    long peakHeapBytes) {}
