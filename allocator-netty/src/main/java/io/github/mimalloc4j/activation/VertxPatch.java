package io.github.mimalloc4j.activation;

import static io.github.mimalloc4j.activation.UnexpectedClassException.require;

import io.github.mimalloc4j.activation.MethodCode.Instruction;
import java.util.List;

/**
 * Makes Vert.x 4 and 5 work with this library's allocator.
 *
 * <p><b>{@code VertxHandler}</b> copies and releases what was received if the buffer's allocator is
 * one that it knows; otherwise nobody releases the buffer. Vert.x 4 tests for an instance of {@code
 * PooledByteBufAllocator}, Vert.x 5 for that very class and {@code AdaptiveByteBufAllocator}. The
 * call before the test is redirected, to a static method with the same effect on the stack, which
 * returns a pooled allocator for this library's buffers and those of Netty's default:
 *
 * <pre>
 *   invokevirtual ByteBuf.alloc                    →  invokestatic VertxAllocator.of
 *   instanceof    PooledByteBufAllocator               or Object.getClass, with which it is compared
 * </pre>
 *
 * <p>While that class is unchanged, this library's allocator must not be Netty's default.
 *
 * <p><b>Other classes</b> of Vert.x 4.5, and of Quarkus 3, which uses it, name an allocator rather
 * than Netty's default, through a field in the constant pool. That entry is redirected to {@code
 * ByteBufAllocator.DEFAULT}. Heap buffers stay unpooled, since Vert.x does not release them.
 * Without these changes such channels have a pooled allocator.
 */
public final class VertxPatch {

  /** The internal name of the class that releases what was received. */
  public static final String HANDLER = "io/vertx/core/net/impl/VertxHandler";

  private static final String SSL_HELPER = "io/vertx/core/net/impl/SSLHelper";

  /** The internal names of the classes that name an allocator. A program may lack any of them. */
  public static final List<String> ALLOCATOR_USERS =
      List.of(
          SSL_HELPER,
          "io/vertx/core/buffer/impl/PartialPooledByteBufAllocator",
          "org/jboss/resteasy/reactive/server/vertx/VertxResteasyReactiveRequestContext");

  private static final String HOLDER = Selection.VERTX_ALLOCATOR.replace('.', '/');
  private static final String HOLDER_METHOD = "of";

  private static final String ALLOCATOR = "io/netty/buffer/ByteBufAllocator";
  private static final String ALLOCATOR_DESCRIPTOR = 'L' + ALLOCATOR + ';';
  private static final String ALLOC = "io/netty/buffer/ByteBuf.alloc:()" + ALLOCATOR_DESCRIPTOR;
  private static final String HOLDER_DESCRIPTOR =
      "(Lio/netty/buffer/ByteBuf;)" + ALLOCATOR_DESCRIPTOR;
  private static final String GET_CLASS = ".getClass:()Ljava/lang/Class;";

  private static final String POOLED = "io/netty/buffer/PooledByteBufAllocator";
  private static final String POOLED_DEFAULT = POOLED + ".DEFAULT:L" + POOLED + ';';
  private static final String VERTX_POOLED =
      "io/vertx/core/buffer/impl/VertxByteBufAllocator.POOLED_ALLOCATOR:" + ALLOCATOR_DESCRIPTOR;

  private VertxPatch() {}

  /**
   * Returns the changed class file of {@link #HANDLER}, or the same array if it was already changed
   * or does not ask which allocator a buffer has.
   *
   * @throws UnexpectedClassException if it uses allocators in an unknown way
   */
  public static byte[] handler(byte[] classFile) throws UnexpectedClassException {
    try {
      ClassFile file = new ClassFile(classFile);
      if (file.classes(HOLDER).length > 0) {
        return classFile;
      }
      int[] alloc = file.members(ClassFile.METHOD, ALLOC);
      boolean changed = alloc.length > 0 && redirectTests(file, alloc[0]);
      require(
          changed || file.classes(POOLED).length == 0,
          "it does not test the result of ByteBuf.alloc");
      return changed ? file.toBytes() : classFile;
    } catch (RuntimeException e) {
      throw new UnexpectedClassException(e);
    }
  }

  private static boolean redirectTests(ClassFile file, int alloc) throws UnexpectedClassException {
    int holder = 0;
    for (MethodCode method : file.methods()) {
      List<Instruction> code = method.instructions();
      for (int i = 0; i + 1 < code.size(); i++) {
        if (code.get(i).calls(alloc) && isTest(file, code.get(i + 1))) {
          if (holder == 0) {
            holder = file.appendMethod(HOLDER, HOLDER_METHOD, HOLDER_DESCRIPTOR);
          }
          method.callStatic(code.get(i), holder);
        }
      }
    }
    return holder != 0;
  }

  private static boolean isTest(ClassFile file, Instruction instruction) {
    return switch (instruction.opcode()) {
      case MethodCode.INSTANCEOF -> true;
      case MethodCode.INVOKEVIRTUAL, MethodCode.INVOKEINTERFACE ->
          file.member(instruction.operand()).endsWith(GET_CLASS);
      default -> false;
    };
  }

  /**
   * Returns the changed class file of one of {@link #ALLOCATOR_USERS}, or the same array if it
   * names no allocator.
   *
   * @throws UnexpectedClassException if it uses the allocator in an unknown way
   */
  public static byte[] allocatorUser(byte[] classFile) throws UnexpectedClassException {
    try {
      ClassFile file = new ClassFile(classFile);
      boolean ssl = file.name().equals(SSL_HELPER);
      int[] fields = file.members(ClassFile.FIELD, ssl ? POOLED_DEFAULT : VERTX_POOLED);
      if (fields.length == 0) {
        return classFile;
      }
      if (ssl) {
        checkReturned(file, fields[0]);
      }
      file.redirect(
          fields[0],
          file.appendClass(ALLOCATOR),
          file.appendNameAndType("DEFAULT", ALLOCATOR_DESCRIPTOR));
      return file.toBytes();
    } catch (RuntimeException e) {
      throw new UnexpectedClassException(e);
    }
  }

  /**
   * Checks that a field of another type than the new one is only returned, as that type. Otherwise
   * the class would fail the JVM's verification.
   */
  private static void checkReturned(ClassFile file, int field) throws UnexpectedClassException {
    for (MethodCode method : file.methods()) {
      List<Instruction> code = method.instructions();
      for (int i = 0; i + 1 < code.size(); i++) {
        require(
            !code.get(i).gets(field)
                || (code.get(i + 1).opcode() == MethodCode.ARETURN
                    && method.descriptor().endsWith(')' + ALLOCATOR_DESCRIPTOR)
                    && !method.framesName(file, POOLED)),
            "it does more than return PooledByteBufAllocator.DEFAULT");
      }
    }
  }
}
