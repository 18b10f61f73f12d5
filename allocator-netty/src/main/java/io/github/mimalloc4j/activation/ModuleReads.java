package io.github.mimalloc4j.activation;

/**
 * Lets its own module read another one. Only a class of the module itself may do that, so this one
 * is defined once more in Netty's package, under the name that {@link #classFile} gives it.
 */
public final class ModuleReads {

  private ModuleReads() {}

  /** Called in the copy, by its name {@code add}. */
  public static void add(Module other) {
    ModuleReads.class.getModule().addReads(other);
  }

  /** A class file of this class under another name, such as {@code some/pkg/Name}. */
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
