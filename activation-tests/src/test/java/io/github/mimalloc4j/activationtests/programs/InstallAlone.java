package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;

/** Activates the allocator where there is no Netty, as a Spring application without it may. */
public final class InstallAlone {

  private InstallAlone() {}

  public static void main(String[] args) {
    System.out.println("report: installed=" + MiMalloc.install());
  }
}
