package io.github.mimalloc4j.microbench;

import io.netty.buffer.ByteBufAllocator;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Any other allocator on the class path, by its class: made by the public constructor without
 * parameters or, where there is none, taken from the public static field {@code DEFAULT}, which
 * then is the same object each time.
 */
final class AllocatorClass implements AllocatorSource {
  private static final String SHARED_INSTANCE = "DEFAULT";

  private final Class<?> type;
  private final @Nullable Constructor<?> constructor;
  private final @Nullable Field shared;

  private AllocatorClass(
      Class<?> type, @Nullable Constructor<?> constructor, @Nullable Field shared) {
    this.type = type;
    this.constructor = constructor;
    this.shared = shared;
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
    @Nullable Constructor<?> constructor = constructor(type);
    @Nullable Field shared = sharedInstance(type);
    if (constructor == null && shared == null) {
      throw new IllegalArgumentException(
          "allocator "
              + name
              + " is a class without a public constructor that takes nothing, and without a public"
              + " static field DEFAULT");
    }
    return new AllocatorClass(type, constructor, shared);
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

  private static @Nullable Constructor<?> constructor(Class<?> type) {
    if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
      return null;
    }
    try {
      return type.getConstructor();
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static @Nullable Field sharedInstance(Class<?> type) {
    try {
      // Not an inherited one: ByteBufAllocator itself has a field of this name.
      Field field = type.getDeclaredField(SHARED_INSTANCE);
      boolean usable =
          Modifier.isPublic(type.getModifiers())
              && Modifier.isPublic(field.getModifiers())
              && Modifier.isStatic(field.getModifiers())
              && ByteBufAllocator.class.isAssignableFrom(field.getType());
      return usable ? field : null;
    } catch (NoSuchFieldException e) {
      return null;
    }
  }

  @Override
  public ByteBufAllocator create() {
    try {
      Object made = constructor != null ? constructor.newInstance() : sharedField().get(null);
      if (made == null) {
        throw new IllegalStateException("allocator " + type.getName() + ": DEFAULT is null");
      }
      return (ByteBufAllocator) made;
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "allocator " + type.getName() + " cannot be made: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("allocator " + type.getName() + " cannot be made: " + e, e);
    }
  }

  private Field sharedField() {
    assert shared != null; // checked when it was looked for
    return shared;
  }
}
