package io.github.mimalloc4j.activation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What a class extends and implements, read from its class file: these must be defined first. */
public final class SuperTypes {

  private SuperTypes() {}

  /** The names of the superclass and the interfaces, as {@link Class#getName} has them. */
  public static List<String> of(byte[] classFile) throws UnexpectedClassException {
    ConstantPool pool = new ConstantPool(classFile);
    // Behind the pool: access flags, this class, superclass, number of interfaces, interfaces.
    ByteBuffer in = ByteBuffer.wrap(classFile).position(pool.end() + 4);
    List<String> names = new ArrayList<>();
    int superClass = Short.toUnsignedInt(in.getShort());
    if (superClass != 0) {
      names.add(pool.text(superClass).replace('/', '.'));
    }
    for (int interfaces = in.getShort(); interfaces > 0; interfaces--) {
      names.add(pool.text(Short.toUnsignedInt(in.getShort())).replace('/', '.'));
    }
    return names;
  }
}
