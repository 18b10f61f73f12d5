package io.github.mimalloc4j.activationtests.programs;

import com.sun.tools.attach.VirtualMachine;

/**
 * Starts the agent when a class that it changes is loaded, but not initialised. The arguments: the
 * agent's jar, and the class, if it is not Netty's.
 */
public final class AttachLate {

  private AttachLate() {}

  public static void main(String[] args) throws Exception {
    String loaded = args.length > 1 ? args[1] : "io.netty.buffer.ByteBufUtil";
    Class.forName(loaded, false, AttachLate.class.getClassLoader());
    VirtualMachine self = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
    self.loadAgent(args[0]);
    self.detach();
    Echo.run();
  }
}
