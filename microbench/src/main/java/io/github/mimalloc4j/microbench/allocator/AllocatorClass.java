package io.github.mimalloc4j.microbench.allocator;

import io.netty.buffer.ByteBufAllocator;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Any other allocator on the class path, by its class: made by the public constructor without
 * parameters or, where there is none, taken from the public static field {@code DEFAULT}, which
 * then is the same object each time.
 */
record AllocatorClass(String name, Maker maker) implements AllocatorSource {
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
      throw refused(name, "does not implement " + ByteBufAllocator.class.getName(), null);
    }
    Stream<Maker> constructor =
        Stream.of(type.getConstructors())
            .filter(each -> each.getParameterCount() == 0)
            .filter(each -> !Modifier.isAbstract(type.getModifiers()))
            .map(each -> each::newInstance);
    // Not an inherited one: ByteBufAllocator itself has a field of this name.
    Stream<Maker> field =
        Stream.of(type.getDeclaredFields())
            .filter(each -> each.getName().equals("DEFAULT"))
            .filter(each -> Modifier.isPublic(each.getModifiers() & type.getModifiers()))
            .filter(each -> Modifier.isStatic(each.getModifiers()))
            .filter(each -> ByteBufAllocator.class.isAssignableFrom(each.getType()))
            .map(each -> () -> each.get(null));
    return Stream.concat(constructor, field)
        .filter(maker -> Modifier.isPublic(type.getModifiers()))
        .findFirst()
        .map(maker -> new AllocatorClass(name, maker))
        .orElseThrow(
            () ->
                refused(
                    name,
                    "has neither a public constructor without parameters nor a public static field"
                        + " DEFAULT",
                    null));
  }

  private static Class<?> find(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      String kinds = Arrays.toString(AllocatorKind.values());
      String why = "and no class of this name is on the class path";
      throw refused(name, "is none of " + kinds + " and not BARE, " + why, e);
    } catch (LinkageError e) {
      throw refused(name, "cannot be loaded: " + e, e);
    }
  }

  private static IllegalArgumentException refused(
      String name, String why, @Nullable Throwable cause) {
    return new IllegalArgumentException("allocator " + name + " " + why, cause);
  }

  @Override
  public ByteBufAllocator create() {
    try {
      Object made = maker.make();
      if (made == null) {
        throw new IllegalStateException("allocator " + name + ": DEFAULT is null");
      }
      return (ByteBufAllocator) made;
    } catch (ReflectiveOperationException | LinkageError e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      throw new IllegalStateException("allocator " + name + " cannot be created: " + cause, cause);
    }
  }
}
