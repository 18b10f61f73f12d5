/**
 * The commands {@code record} and {@code replay}: what other allocators would make of a program's
 * own use of buffers.
 */
@NullMarked
package io.github.mimalloc4j.microbench.replay;

import org.jspecify.annotations.NullMarked;
