package io.github.mimalloc4j.microbench.soak;

/**
 * What ended a soak.
 *
 * @param where what was being done
 * @param thread the name of the thread
 * @param cause what was thrown
 */
record Failure(String where, String thread, Throwable cause) {}
