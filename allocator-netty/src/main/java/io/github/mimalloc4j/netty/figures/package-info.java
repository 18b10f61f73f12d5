/**
 * The figures of an allocator for people and for programs: as text, as JSON and as management
 * beans, all made from one list ({@link io.github.mimalloc4j.netty.figures.Figure}). They come from
 * the core's statistics, and nothing is counted here.
 */
@NullMarked
package io.github.mimalloc4j.netty.figures;

import org.jspecify.annotations.NullMarked;
