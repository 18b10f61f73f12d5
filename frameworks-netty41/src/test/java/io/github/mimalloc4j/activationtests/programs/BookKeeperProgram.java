package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.bookkeeper.common.allocator.ByteBufAllocatorBuilder;
import org.apache.bookkeeper.common.allocator.PoolingPolicy;

/**
 * The allocator that BookKeeper makes for its bookies and clients, as that of a server's channels.
 * With the argument {@value #GIVEN} it is made on top of this library's.
 */
public final class BookKeeperProgram {

  public static final String GIVEN = "given";

  private BookKeeperProgram() {}

  public static void main(String[] args) throws Exception {
    ByteBufAllocatorBuilder builder =
        ByteBufAllocatorBuilder.create().poolingPolicy(PoolingPolicy.PooledDirect);
    if (args.length == 1 && args[0].equals(GIVEN)) {
      builder.pooledAllocator(MiMallocByteBufAllocator.DEFAULT);
    }
    ByteBufAllocator allocator = builder.build();
    ByteBuf buffer = allocator.buffer(Traffic.BYTES);
    Report.allocator("buffer", buffer.alloc());
    Report.value("held bytes", MiMallocByteBufAllocator.DEFAULT.metric().usedDirectMemory());
    buffer.release();
    Echo.run(allocator);
  }
}
