/**
 * What the machine sees of the process: the memory that it has resident, and the C library's heap,
 * which keeps what was freed until it is told to give it back.
 *
 * <p>From outside, {@code NativeHeap} is trimmed and tells how often that happened, and {@code
 * ResidentMemory} reads one figure. When a trim is due is decided in {@code threads}.
 */
@NullMarked
package io.github.mimalloc4j.netty.system;

import org.jspecify.annotations.NullMarked;
