/** An allocator's figures, for the users of the allocator. */
@NullMarked
package io.github.mimalloc4j.core.statistics;

import org.jspecify.annotations.NullMarked;
