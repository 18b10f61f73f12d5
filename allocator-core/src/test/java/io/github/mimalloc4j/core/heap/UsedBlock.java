package io.github.mimalloc4j.core.heap;

/**
 * A large block that counts its uses, and knows whether it has its memory, in plain fields: what
 * the allocator does orders them.
 */
final class UsedBlock implements Block {

  final Page<UsedBlock> page;
  int uses;
  boolean hasMemory = true;

  UsedBlock(Page<UsedBlock> page) {
    this.page = page;
  }

  @Override
  public boolean free(Page<?> in, int at) {
    throw new AssertionError("a large page has no heap");
  }

  @Override
  public boolean reclaim(Page<?> in, int at) {
    throw new AssertionError("a large page has no owner to reclaim its block");
  }

  @Override
  public boolean isDeferred(Page<?> in, int at) {
    throw new AssertionError("a large page is never stolen by its deferred list");
  }

  @Override
  public void forgetMemory() {
    hasMemory = false;
  }

  @Override
  public void recallMemory() {
    hasMemory = true;
  }
}
