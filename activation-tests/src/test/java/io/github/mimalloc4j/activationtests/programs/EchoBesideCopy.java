package io.github.mimalloc4j.activationtests.programs;

/** Uses a copy of Netty under another package name first. */
public final class EchoBesideCopy {

  private EchoBesideCopy() {}

  public static void main(String[] args) throws Exception {
    Class.forName(args[0] + ".ByteBufUtil");
    Echo.run();
  }
}
