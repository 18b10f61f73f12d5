package io.github.mimalloc4j.activationtests.programs;

import com.sun.tools.attach.VirtualMachine;

/** Starts the agent when Netty's class is loaded, but not initialised. The argument: its jar. */
public final class AttachLate {

  private AttachLate() {}

  public static void main(String[] args) throws Exception {
    Class.forName("io.netty.buffer.ByteBufUtil", false, AttachLate.class.getClassLoader());
    VirtualMachine self = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
    self.loadAgent(args[0]);
    self.detach();
    Echo.run();
  }
}
