package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Memory;

/**
 * Creates the blocks of a page, each on its first use. Implementations are thread-safe.
 *
 * @param <B> the type of the blocks
 */
@FunctionalInterface
public interface BlockFactory<B extends Block> {

  /**
   * Creates the block of a slot, in the state "free".
   *
   * @param page the page that the block belongs to
   * @param slot its index in the page
   * @param memory the memory of the page's segment
   * @param offset where the block begins in that memory, in bytes; it is {@link Page#blockBytes()}
   *     bytes long
   */
  B newBlock(Page<B> page, int slot, Memory memory, int offset);
}
