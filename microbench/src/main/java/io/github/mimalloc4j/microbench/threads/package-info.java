/** Benchmarks of several threads, of other kinds of threads, and of threads that end. */
@NullMarked
package io.github.mimalloc4j.microbench.threads;

import org.jspecify.annotations.NullMarked;
