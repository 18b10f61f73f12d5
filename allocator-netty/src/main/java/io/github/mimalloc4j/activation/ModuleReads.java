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
    ConstantPool pool = new ConstantPool(original);
    String own = ModuleReads.class.getName().replace('.', '/');
    for (int entry = 1; entry < pool.parsedCount(); entry++) {
      if (pool.is(entry, ConstantPool.CLASS) && pool.text(entry).equals(own)) {
        pool.redirect(entry, pool.appendUtf8(name));
      }
    }
    return pool.toClassFile();
  }
}
