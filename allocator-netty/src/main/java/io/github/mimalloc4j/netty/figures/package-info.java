/**
 * An allocator's figures as text, JSON and management beans, and in the log when memory runs out.
 * They are generated from the lists {@link io.github.mimalloc4j.netty.figures.Figure}, {@link
 * io.github.mimalloc4j.netty.figures.ProcessFigure} and {@code SizeClassFigure}, except for those
 * of single thread heaps and allocation sites. The values come from the core's statistics; nothing
 * is counted here.
 */
@NullMarked
package io.github.mimalloc4j.netty.figures;

import org.jspecify.annotations.NullMarked;
