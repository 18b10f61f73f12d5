package io.github.mimalloc4j.microbench.allocator;

import io.netty.buffer.ByteBufAllocator;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Any other allocator on the class path, by its class: made by the public constructor without
 * parameters or, where there is none, taken from the public static field {@code DEFAULT}, which
 * then is the same object each time.
 */
record AllocatorClass(String name, Maker maker) implements AllocatorSource {
  /** Makes an allocator by reflection. */
  @FunctionalInterface
  interface Maker {
    Object make() throws ReflectiveOperationException;
  }

  /**
   * Looks for a class.
   *
   * @throws IllegalArgumentException if there is none of this name, or it is no allocator, or there
   *     is no way to get one
   */
  static AllocatorClass named(String name) {
    Class<?> type = find(name);
    if (!ByteBufAllocator.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(
          "allocator " + name + " is no " + ByteBufAllocator.class.getName());
    }
    Maker maker =
        constructor(type)
            .<Maker>map(constructor -> constructor::newInstance)
            .or(() -> sharedInstance(type).map(field -> () -> field.get(null)))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "allocator "
                            + name
                            + " is a class without a public constructor that takes nothing, and"
                            + " without a public static field DEFAULT"));
    return new AllocatorClass(name, maker);
  }

  private static Class<?> find(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "allocator "
              + name
              + " is none of "
              + Arrays.toString(AllocatorKind.values())
              + " and not BARE, and there is no class of this name on the class path",
          e);
    } catch (LinkageError e) {
      throw new IllegalArgumentException("allocator " + name + " cannot be loaded: " + e, e);
    }
  }

  private static Optional<Constructor<?>> constructor(Class<?> type) {
    boolean usable = isPublic(type.getModifiers()) && !Modifier.isAbstract(type.getModifiers());
    return Stream.of(type.getConstructors())
        .filter(candidate -> usable && candidate.getParameterCount() == 0)
        .findFirst();
  }

  private static Optional<Field> sharedInstance(Class<?> type) {
    // Not an inherited one: ByteBufAllocator itself has a field of this name.
    return Stream.of(type.getDeclaredFields())
        .filter(field -> field.getName().equals("DEFAULT"))
        .filter(field -> isPublic(type.getModifiers() & field.getModifiers()))
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .filter(field -> ByteBufAllocator.class.isAssignableFrom(field.getType()))
        .findFirst();
  }

  private static boolean isPublic(int modifiers) {
    return Modifier.isPublic(modifiers);
  }

  @Override
  public ByteBufAllocator create() {
    try {
      Object made = maker.make();
      if (made == null) {
        throw new IllegalStateException("allocator " + name + ": DEFAULT is null");
      }
      return (ByteBufAllocator) made;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "allocator " + name + " cannot be made: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("allocator " + name + " cannot be made: " + e, e);
    }
  }
}
