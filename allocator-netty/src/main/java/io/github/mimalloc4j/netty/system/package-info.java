/**
 * The process as the system sees it: its resident memory, and the heap of the C library, which
 * keeps freed memory until it is trimmed.
 *
 * <p>Other packages trim {@code NativeHeap} and read its counts, and read {@code ResidentMemory}.
 * When a trim is due is decided in {@code threads}.
 */
@NullMarked
package io.github.mimalloc4j.netty.system;

import org.jspecify.annotations.NullMarked;
