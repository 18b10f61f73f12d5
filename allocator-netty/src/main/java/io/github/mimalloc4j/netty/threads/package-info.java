/**
 * The way from the current thread to a heap of the core: {@code ThreadHeaps}, which also says what
 * an allocation failed with. {@code OwnerUpkeep} and {@code UpkeepThread} run the core's upkeep on
 * event loops and on a thread of the library. {@code NativeHeapUpkeep} has what was freed go back
 * to the system, with the help of {@code HeapTops}.
 *
 * <p>From outside, a {@code ThreadHeaps} gives blocks and figures, and is trimmed and closed. It
 * depends on the buffers, which know it as their {@code BufferSource}.
 */
@NullMarked
package io.github.mimalloc4j.netty.threads;

import org.jspecify.annotations.NullMarked;
