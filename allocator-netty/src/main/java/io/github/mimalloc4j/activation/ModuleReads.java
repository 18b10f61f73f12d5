package io.github.mimalloc4j.activation;

/**
 * Makes its own module read another one. Only a class of the module itself may do that, so a copy
 * of this class is defined in Netty's package, under the name passed to {@link #classFile}.
 */
public final class ModuleReads {

  private ModuleReads() {}

  /** Called in the copy, through a method handle for the name {@code add}. */
  public static void add(Module other) {
    ModuleReads.class.getModule().addReads(other);
  }

  /** Returns the class file of this class under another name, such as {@code some/pkg/Name}. */
  public static byte[] classFile(byte[] original, String name) throws UnexpectedClassException {
    ClassFile file = new ClassFile(original);
    String own = ModuleReads.class.getName().replace('.', '/');
    for (int entry : file.entries(ClassFile.CLASS).toArray()) {
      if (file.text(entry).equals(own)) {
        file.redirect(entry, file.appendUtf8(name));
      }
    }
    return file.toBytes();
  }
}
