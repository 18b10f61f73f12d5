package io.github.mimalloc4j.microbench;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a result was measured with, as a file of results tells it. JMH itself writes the JDK, the
 * virtual machine and its flags; the rest is in an object of our own, which {@link Main} adds.
 *
 * @param jdk the version of the JDK
 * @param vm name and version of the virtual machine
 * @param flags of the measured JVM
 * @param netty the version of Netty
 * @param cpu the model and number of processors
 * @param system the operating system
 */
public record Setup(
    String jdk, String vm, List<String> flags, String netty, String cpu, String system) {

  /** What is shown where a file does not tell. */
  public static final String UNKNOWN = "unknown";

  private static final String JDK = "jdkVersion";
  private static final String VM_NAME = "vmName";
  private static final String VM_VERSION = "vmVersion";
  private static final String FLAGS = "jvmArgs";
  private static final String ENVIRONMENT = "environment";
  private static final String NETTY = "netty";
  private static final String CPU = "cpu";
  private static final String SYSTEM = "system";

  /** Reads what an object tells; the rest is {@value #UNKNOWN}. */
  public static Setup read(JsonObject json) {
    JsonObject ours =
        json.get(ENVIRONMENT) instanceof JsonObject environment ? environment : new JsonObject();
    List<String> flags =
        json.get(FLAGS) instanceof JsonArray array
            ? StreamSupport.stream(array.spliterator(), false)
                .map(JsonElement::getAsString)
                .toList()
            : List.of();
    String vm = text(json, VM_NAME);
    return new Setup(
        text(json, JDK),
        json.has(VM_VERSION) ? vm + " " + text(json, VM_VERSION) : vm,
        flags,
        text(ours, NETTY),
        text(ours, CPU),
        text(ours, SYSTEM));
  }

  private static String text(JsonObject json, String name) {
    @Nullable JsonElement value = json.get(name);
    return value != null && value.isJsonPrimitive() ? value.getAsString() : UNKNOWN;
  }

  /** Tells an object what this machine is, unless it says so already. */
  static void addEnvironment(JsonObject json) {
    if (!json.has(ENVIRONMENT)) {
      json.add(
          ENVIRONMENT,
          environment(Environment.netty(), Environment.processors(), Environment.system()));
    }
  }

  private static JsonObject environment(String netty, String cpu, String system) {
    JsonObject ours = new JsonObject();
    ours.addProperty(NETTY, netty);
    ours.addProperty(CPU, cpu);
    ours.addProperty(SYSTEM, system);
    return ours;
  }

  /** This JDK on this machine, with the flags of JVMs that were started from here. */
  public static Setup here(List<String> flags) {
    return new Setup(
        property("java.version"),
        property("java.vm.name") + " " + property("java.vm.version"),
        List.copyOf(flags),
        Environment.netty(),
        Environment.processors(),
        Environment.system());
  }

  private static String property(String name) {
    return System.getProperty(name, UNKNOWN);
  }

  /** Tells an object all of it; {@link #read} reads that. */
  public void writeTo(JsonObject json) {
    json.addProperty(JDK, jdk);
    json.addProperty(VM_NAME, vm);
    JsonArray array = new JsonArray();
    flags.forEach(array::add);
    json.add(FLAGS, array);
    json.add(ENVIRONMENT, environment(netty, cpu, system));
  }

  /** The same on any JVM with any flags of this machine and JDK. */
  public Setup withoutFlags() {
    return new Setup(jdk, vm, List.of(), netty, cpu, system);
  }

  /** All of it for people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("JDK: " + jdk + ", " + vm);
    lines.add("System: " + system);
    lines.add("CPU: " + cpu);
    lines.add("Netty: " + netty);
    lines.add("JVM flags: " + (flags.isEmpty() ? "none" : String.join(" ", flags)));
    return lines;
  }
}
