/**
 * An allocator's figures as text, JSON and management beans, all generated from one list ({@link
 * io.github.mimalloc4j.netty.figures.Figure}). The values come from the core's statistics; nothing
 * is counted here.
 */
@NullMarked
package io.github.mimalloc4j.netty.figures;

import org.jspecify.annotations.NullMarked;
