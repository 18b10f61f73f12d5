/**
 * What the options for debugging do: guards that check releases, erase bytes and look for writes to
 * memory that the writer did not have. Nothing here is loaded while those options are off.
 *
 * <p>From outside, {@code GuardedHeaps} takes the place of {@code ThreadHeaps}, and a {@code
 * MisuseListener} is told of what is found.
 */
@NullMarked
package io.github.mimalloc4j.netty.debugging;

import org.jspecify.annotations.NullMarked;
