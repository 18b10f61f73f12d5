/** The commands {@code record} and {@code replay}: each allocator's cost to a recorded program. */
@NullMarked
package io.github.mimalloc4j.microbench.replay;

import org.jspecify.annotations.NullMarked;
