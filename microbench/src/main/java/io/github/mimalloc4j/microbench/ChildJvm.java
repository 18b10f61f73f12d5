package io.github.mimalloc4j.microbench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What all JVMs have in common that this one starts. */
public final class ChildJvm {
  private ChildJvm() {}

  /** This JVM's flags, so that a user can set an allocator's options, and others, which win. */
  public static List<String> flags(List<String> others) {
    List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    flags.addAll(others);
    return flags;
  }

  /** The command that runs a class of this JVM's class path. */
  public static List<String> command(List<String> flags, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return command;
  }

  /** Sees to it that a process, of whatever program, does not go on when the user gives up. */
  public static void stopAtExit(Process process) {
    // Stopping a process that has ended does nothing.
    Thread stopper = new Thread(process::destroyForcibly, "stopper-" + process.pid());
    try {
      Runtime.getRuntime().addShutdownHook(stopper);
    } catch (IllegalStateException e) {
      process.destroyForcibly(); // The user has given up already.
    }
  }
}
