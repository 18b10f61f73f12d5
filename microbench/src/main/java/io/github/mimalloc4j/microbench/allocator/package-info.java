/** The allocators that are measured: how one is named, made, and asked for its memory. */
@NullMarked
package io.github.mimalloc4j.microbench.allocator;

import org.jspecify.annotations.NullMarked;
