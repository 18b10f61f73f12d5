package io.github.mimalloc4j.activationtests.programs;

import io.netty.buffer.ByteBufAllocator;

/** Reports whether programs may look into the JDK's innermost package once Netty is in use. */
public final class WhatIsOpen {

  private WhatIsOpen() {}

  public static void main(String[] args) {
    Report.allocator("default", ByteBufAllocator.DEFAULT);
    boolean open = Object.class.getModule().isOpen("java.lang", WhatIsOpen.class.getModule());
    Report.value("java.lang", open ? "open" : "closed");
  }
}
