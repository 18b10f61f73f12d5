package io.github.mimalloc4j.netty.memory;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jol.vm.VM;

/**
 * What objects there are, by walks over what is reachable through this project's objects, arrays
 * and containers. A walk ends at what is the JDK's or Netty's: threads, and the list of what is to
 * be cleaned, lead to the objects of other tests.
 */
public final class JavaHeap {

  private static final String OURS = "io.github.mimalloc4j.";

  private JavaHeap() {}

  /** The objects of the class that can be reached from {@code root}. */
  public static long countOf(Class<?> type, Object root) {
    return reachable(root).stream().filter(object -> object.getClass() == type).count();
  }

  /** The bytes of all objects that can be reached from {@code root}. */
  static long bytes(Object root) {
    return reachable(root).stream().mapToLong(VM.current()::sizeOf).sum();
  }

  private static Set<Object> reachable(Object root) {
    Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Object> open = new ArrayDeque<>();
    found.add(root);
    open.add(root);
    while (!open.isEmpty()) {
      referredToBy(open.remove())
          .filter(object -> object != null && found.add(object))
          .forEach(open::add);
    }
    return found;
  }

  private static Stream<?> referredToBy(Object object) {
    return Stream.concat(elements(object), fields(object.getClass()).map(f -> value(f, object)));
  }

  private static Stream<?> elements(Object object) {
    if (object instanceof Object[] array) {
      return Arrays.stream(array);
    } else if (object instanceof Collection<?> collection) {
      return collection.stream();
    } else if (object instanceof Map<?, ?> map) {
      return Stream.concat(map.keySet().stream(), map.values().stream());
    } else if (object instanceof AtomicReference<?> reference) {
      return Stream.of(reference.get());
    } else if (object instanceof AtomicReferenceArray<?> array) {
      return IntStream.range(0, array.length()).mapToObj(array::get);
    } else if (object instanceof Reference<?> reference) {
      return Stream.of(reference.get());
    }
    return Stream.empty();
  }

  /**
   * What refers to objects in one of this project, with the fields of Netty's classes that it
   * extends.
   */
  static Stream<Field> fields(Class<?> type) {
    if (!type.getName().startsWith(OURS)) {
      return Stream.empty();
    }
    return Stream.<Class<?>>iterate(
            type, t -> !t.getName().startsWith("java."), Class::getSuperclass)
        .flatMap(t -> Arrays.stream(t.getDeclaredFields()))
        .filter(f -> !Modifier.isStatic(f.getModifiers()) && !f.getType().isPrimitive());
  }

  /** Returns what the field of the object refers to; null if that is nothing. */
  static Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
