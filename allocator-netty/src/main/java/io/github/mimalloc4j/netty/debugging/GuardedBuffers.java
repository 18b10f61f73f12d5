package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.core.heap.BlockFactory;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.netty.buffers.AddressByteBuf;
import io.github.mimalloc4j.netty.buffers.ArrayByteBuf;
import io.github.mimalloc4j.netty.buffers.ArrayMemory;
import io.github.mimalloc4j.netty.buffers.DirectMemory;
import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.buffers.NioByteBuf;
import java.util.function.Supplier;

/**
 * The three kinds of buffers, each with a {@link Guard}.
 *
 * <p>They are subclasses, so that buffers without a guard cost nothing. As long as no class that
 * overrides {@code isGuarded()} is loaded, the JVM knows its result and compiles no code for
 * guards. A field in all buffers would cost each buffer its space, and each release a load and a
 * branch. A method of any object that a buffer refers to would still cost the load.
 */
final class GuardedBuffers {

  private GuardedBuffers() {}

  static BlockFactory<MiMallocByteBuf> byAddress(Supplier<Guard> guards) {
    return (page, slot, memory, offset) ->
        new Address(page, slot, (DirectMemory) memory, offset, guards.get());
  }

  static BlockFactory<MiMallocByteBuf> byNioBuffer(Supplier<Guard> guards) {
    return (page, slot, memory, offset) ->
        new Nio(page, slot, (DirectMemory) memory, offset, guards.get());
  }

  static BlockFactory<MiMallocByteBuf> onArrays(Supplier<Guard> guards) {
    return (page, slot, memory, offset) ->
        new Array(page, slot, (ArrayMemory) memory, offset, guards.get());
  }

  private static final class Address extends AddressByteBuf {

    private final Guard guard;

    Address(Page<MiMallocByteBuf> page, int slot, DirectMemory memory, int offset, Guard guard) {
      super(page, slot, memory, offset);
      this.guard = guard;
    }

    @Override
    protected boolean isGuarded() {
      return true;
    }

    @Override
    public Guard guard() {
      return guard;
    }
  }

  private static final class Nio extends NioByteBuf {

    private final Guard guard;

    Nio(Page<MiMallocByteBuf> page, int slot, DirectMemory memory, int offset, Guard guard) {
      super(page, slot, memory, offset);
      this.guard = guard;
    }

    @Override
    protected boolean isGuarded() {
      return true;
    }

    @Override
    public Guard guard() {
      return guard;
    }
  }

  private static final class Array extends ArrayByteBuf {

    private final Guard guard;

    Array(Page<MiMallocByteBuf> page, int slot, ArrayMemory memory, int offset, Guard guard) {
      super(page, slot, memory, offset);
      this.guard = guard;
    }

    @Override
    protected boolean isGuarded() {
      return true;
    }

    @Override
    public Guard guard() {
      return guard;
    }
  }
}
