/**
 * The mapping of the current thread to a heap of the core. {@code ThreadHeaps} implements it, and
 * reports failed allocations. {@code OwnerExecutor} and {@code UpkeepThread} run the core's upkeep
 * on event loops and on a thread of the library. {@code NativeHeapUpkeep}, with {@code ArenaTops},
 * gives freed memory back to the system.
 *
 * <p>Other packages obtain blocks and figures from a {@code ThreadHeaps}, trim it and close it. It
 * depends on the buffers, which know it as their {@code BufferSource}.
 */
@NullMarked
package io.github.mimalloc4j.netty.threads;

import org.jspecify.annotations.NullMarked;
