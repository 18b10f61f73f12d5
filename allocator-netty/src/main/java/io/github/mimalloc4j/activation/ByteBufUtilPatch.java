package io.github.mimalloc4j.activation;

import io.github.mimalloc4j.activation.MethodCode.Instruction;
import java.util.List;
import java.util.OptionalInt;

/**
 * Makes Netty's {@code ByteBufUtil} ask for our allocator.
 *
 * <p>Its static initialiser knows three types of allocator; for any other it takes {@code
 * PooledByteBufAllocator.DEFAULT}, through one entry of the constant pool. That entry is made to
 * stand for a field of ours. No instruction changes:
 *
 * <pre>
 *   getstatic #254   PooledByteBufAllocator.DEFAULT  →  DefaultAllocator.ALLOCATOR
 *   astore_1
 *   ...
 *   aload_1
 *   putstatic #258   ByteBufUtil.DEFAULT_ALLOCATOR, a ByteBufAllocator
 * </pre>
 *
 * <p>Our field is a {@code ByteBufAllocator}, which is less than Netty's field was. Were the value
 * used as anything else, Netty's class would no longer pass the JVM's verification, and Netty would
 * be dead. So the class is left alone unless the value goes where the picture says, and nowhere
 * else.
 */
public final class ByteBufUtilPatch {

  /** The class that is changed, as it is named in class files. */
  public static final String TARGET = "io/netty/buffer/ByteBufUtil";

  private static final String ALLOCATOR_DESCRIPTOR = "Lio/netty/buffer/ByteBufAllocator;";
  private static final String POOLED = "io/netty/buffer/PooledByteBufAllocator";
  private static final String POOLED_DEFAULT = POOLED + ".DEFAULT:L" + POOLED + ';';
  private static final String HOLDER = Selection.DEFAULT_ALLOCATOR.replace('.', '/');
  private static final String HOLDER_FIELD = "ALLOCATOR";
  private static final String INITIALIZER = "<clinit>";

  /** Netty's words for a type that it does not know; they would be untrue. */
  private static final String UNKNOWN_TYPE_MESSAGE =
      "-Dio.netty.allocator.type: pooled (unknown: {})";

  private static final String KNOWN_TYPE_MESSAGE = "-Dio.netty.allocator.type: {}";

  private final byte[] classFile;
  private final ConstantPool pool;

  private ByteBufUtilPatch(byte[] classFile) throws UnexpectedClassException {
    this.classFile = classFile;
    this.pool = new ConstantPool(classFile);
  }

  /**
   * Returns the changed class, or the same array if it was changed before, as when the agent sees
   * what {@code MiMalloc.install()} defines.
   *
   * @throws UnexpectedClassException if the class is not as described above
   */
  public static byte[] apply(byte[] classFile) throws UnexpectedClassException {
    try {
      return new ByteBufUtilPatch(classFile).apply();
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      UnexpectedClassException unexpected = new UnexpectedClassException("it cannot be read: " + e);
      unexpected.initCause(e);
      throw unexpected;
    }
  }

  private byte[] apply() throws UnexpectedClassException {
    int afterAccess = pool.end() + 2;
    require(TARGET.equals(pool.text(u2(afterAccess))), "it has another name");
    if (isPatched()) {
      return classFile;
    }
    int field = pooledDefault();
    int interfaces = u2(afterAccess + 4);
    check(MethodCode.readAll(classFile, pool, afterAccess + 6 + 2 * interfaces), field);

    pool.redirect(
        field,
        pool.appendClass(HOLDER),
        pool.appendNameAndType(HOLDER_FIELD, ALLOCATOR_DESCRIPTOR));
    correctMessage();
    return pool.toClassFile();
  }

  private boolean isPatched() {
    for (int entry = 1; entry < pool.parsedCount(); entry++) {
      if (pool.is(entry, ConstantPool.CLASS) && pool.text(entry).equals(HOLDER)) {
        return true;
      }
    }
    return false;
  }

  private int pooledDefault() throws UnexpectedClassException {
    int found = 0;
    for (int entry = 1; entry < pool.parsedCount(); entry++) {
      if (pool.is(entry, ConstantPool.FIELD) && pool.member(entry).equals(POOLED_DEFAULT)) {
        require(found == 0, "it names PooledByteBufAllocator.DEFAULT more than once");
        found = entry;
      }
    }
    require(found != 0, "it does not name PooledByteBufAllocator.DEFAULT");
    return found;
  }

  private void check(List<MethodCode> methods, int field) throws UnexpectedClassException {
    boolean used = false;
    for (MethodCode method : methods) {
      boolean uses =
          method.instructions().stream()
              .anyMatch(i -> i.opcode() == MethodCode.GETSTATIC && i.operand() == field);
      if (uses) {
        require(
            method.method().equals(INITIALIZER),
            "its method " + method.method() + " uses PooledByteBufAllocator.DEFAULT");
        checkInitializer(method, field);
        used = true;
      }
    }
    require(used, "its static initialiser does not use PooledByteBufAllocator.DEFAULT");
    for (int entry = 1; entry < pool.parsedCount(); entry++) {
      require(
          !pool.is(entry, ConstantPool.METHOD_HANDLE) || pool.handleTarget(entry) != field,
          "it has a method handle of PooledByteBufAllocator.DEFAULT");
    }
  }

  private void checkInitializer(MethodCode initializer, int field) throws UnexpectedClassException {
    String elsewhere = "its static initialiser uses the pooled allocator otherwise than as default";
    OptionalInt local = OptionalInt.empty();
    List<Instruction> code = initializer.instructions();
    for (int i = 0; i + 1 < code.size(); i++) {
      if (code.get(i).opcode() == MethodCode.GETSTATIC && code.get(i).operand() == field) {
        Instruction next = code.get(i + 1);
        if (next.opcode() == MethodCode.ASTORE) {
          require(local.isEmpty() || local.getAsInt() == next.operand(), elsewhere);
          local = OptionalInt.of(next.operand());
        } else {
          require(storesAllocator(next), elsewhere);
        }
      }
    }
    if (local.isPresent()) {
      for (int i = 0; i + 1 < code.size(); i++) {
        if (code.get(i).opcode() == MethodCode.ALOAD && code.get(i).operand() == local.getAsInt()) {
          require(storesAllocator(code.get(i + 1)), elsewhere);
        }
      }
    }
    for (int type : initializer.frameTypes()) {
      require(!pool.text(type).equals(POOLED), elsewhere);
    }
  }

  private boolean storesAllocator(Instruction instruction) {
    return instruction.opcode() == MethodCode.PUTSTATIC
        && pool.descriptor(instruction.operand()).equals(ALLOCATOR_DESCRIPTOR);
  }

  /** Not needed for the effect, so a class without the message is as good. */
  private void correctMessage() throws UnexpectedClassException {
    for (int entry = 1; entry < pool.parsedCount(); entry++) {
      if (pool.is(entry, ConstantPool.STRING) && pool.text(entry).equals(UNKNOWN_TYPE_MESSAGE)) {
        pool.redirect(entry, pool.appendUtf8(KNOWN_TYPE_MESSAGE));
      }
    }
  }

  private int u2(int offset) {
    return Byte.toUnsignedInt(classFile[offset]) << 8 | Byte.toUnsignedInt(classFile[offset + 1]);
  }

  private static void require(boolean condition, String otherwise) throws UnexpectedClassException {
    if (!condition) {
      throw new UnexpectedClassException(otherwise);
    }
  }
}
