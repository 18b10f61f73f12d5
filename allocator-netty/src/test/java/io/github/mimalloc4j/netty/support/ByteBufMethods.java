package io.github.mimalloc4j.netty.support;

import io.github.mimalloc4j.netty.fuzzing.BufferPair;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The public methods of {@link ByteBuf}, as the Netty at hand has them. */
public final class ByteBufMethods {

  /**
   * What buffers of different kinds answer differently. {@link BufferPair} checks that the answers
   * of a buffer agree with each other.
   */
  public static final Set<String> OF_THE_KIND =
      Set.of(
          "alloc()", // its allocator
          "array()", // where its bytes are
          "arrayOffset()",
          "hasArray()",
          "hasMemoryAddress()",
          "memoryAddress()",
          "isDirect()",
          "maxFastWritableBytes()", // how far it grows without a move
          "toString()"); // names the class

  /** All others: two buffers of the same content and indexes do the same. */
  public static final List<Method> COMPARABLE =
      all().stream().filter(method -> !OF_THE_KIND.contains(signature(method))).toList();

  private ByteBufMethods() {}

  /** Every public method of an instance, in an order that depends on the signatures alone. */
  public static List<Method> all() {
    return Arrays.stream(ByteBuf.class.getMethods())
        .filter(method -> method.getDeclaringClass() != Object.class)
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
        .sorted(Comparator.comparing(ByteBufMethods::signature))
        .toList();
  }

  /** Such as {@code getBytes(int,byte[])}. */
  public static String signature(Method method) {
    List<String> types =
        Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
    return method.getName() + '(' + String.join(",", types) + ')';
  }
}
