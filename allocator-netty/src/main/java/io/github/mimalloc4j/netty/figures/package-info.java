/**
 * The figures of an allocator for people and for programs: as text, as JSON and as management
 * beans. They come from the core's statistics, and nothing is counted here.
 */
@NullMarked
package io.github.mimalloc4j.netty.figures;

import org.jspecify.annotations.NullMarked;
