package io.github.mimalloc4j.microbench.trace;

/**
 * Recorded threads of the same role and name.
 *
 * @param name with # in the place of each number
 * @param threads how many there were
 * @param allocations of all of them
 */
public record ThreadGroup(String name, ThreadRole role, long threads, long allocations) {
  ThreadGroup plus(ThreadGroup other) {
    return new ThreadGroup(name, role, threads + other.threads, allocations + other.allocations);
  }
}
