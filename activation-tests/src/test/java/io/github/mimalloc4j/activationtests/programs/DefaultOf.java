package io.github.mimalloc4j.activationtests.programs;

/** Reports the default allocator of a copy of Netty whose package is another one. */
public final class DefaultOf {

  private DefaultOf() {}

  public static void main(String[] args) throws Exception {
    Object allocator = Class.forName(args[0] + ".ByteBufAllocator").getField("DEFAULT").get(null);
    Report.value("default", allocator.getClass().getSimpleName());
  }
}
