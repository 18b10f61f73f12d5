/**
 * The process as the system sees it: its resident memory, and the heap of the C library, which
 * keeps freed memory until it is trimmed.
 *
 * <p>Other packages trim {@code NativeHeap} and read its counts, and read {@code ResidentMemory}.
 * The package {@code threads} decides when a trim is due.
 */
@NullMarked
package io.github.mimalloc4j.netty.system;

import org.jspecify.annotations.NullMarked;
