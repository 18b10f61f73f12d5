/** An allocator's figures, as whoever uses the allocator reads them. */
@NullMarked
package io.github.mimalloc4j.core.statistics;

import org.jspecify.annotations.NullMarked;
