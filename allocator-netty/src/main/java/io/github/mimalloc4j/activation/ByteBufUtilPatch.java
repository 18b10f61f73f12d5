package io.github.mimalloc4j.activation;

import static io.github.mimalloc4j.activation.UnexpectedClassException.require;

import io.github.mimalloc4j.activation.MethodCode.Instruction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes Netty's {@code ByteBufUtil} use this library's allocator.
 *
 * <p>Its static initialiser reads the type of allocator from a system property. It knows three
 * types; for any other it takes {@code PooledByteBufAllocator.DEFAULT}, through one entry of the
 * constant pool. This class redirects that entry to a field of ours, and the entry of the method
 * that reads the property to a method of ours. No instruction changes:
 *
 * <pre>
 *   ldc              "io.netty.allocator.type"
 *   ldc              "adaptive", in Netty 4.2
 *   invokestatic #247  SystemPropertyUtil.get          →  DefaultAllocator.property
 *   ...
 *   getstatic #254     PooledByteBufAllocator.DEFAULT  →  DefaultAllocator.ALLOCATOR
 *   astore_1
 *   ...
 *   aload_1
 *   putstatic #258     ByteBufUtil.DEFAULT_ALLOCATOR, a ByteBufAllocator
 * </pre>
 *
 * <p>Our method has the signature of Netty's. If our allocator fails at that moment, the method
 * lets Netty take its own default, which only Netty knows.
 *
 * <p>Our field has the type {@code ByteBufAllocator}, a supertype of the type of Netty's field. If
 * the value were used as anything else, Netty's class would fail the JVM's verification, and Netty
 * would be unusable. The class is therefore left unchanged unless the value goes where the listing
 * shows, and nowhere else.
 */
public final class ByteBufUtilPatch {

  /** The internal name of the class that is changed. */
  public static final String TARGET = "io/netty/buffer/ByteBufUtil";

  private static final String ALLOCATOR_DESCRIPTOR = "Lio/netty/buffer/ByteBufAllocator;";
  private static final String POOLED = "io/netty/buffer/PooledByteBufAllocator";
  private static final String POOLED_DEFAULT = POOLED + ".DEFAULT:L" + POOLED + ';';
  private static final String HOLDER = Selection.DEFAULT_ALLOCATOR.replace('.', '/');
  private static final String HOLDER_FIELD = "ALLOCATOR";
  private static final String HOLDER_METHOD = "property";
  private static final String READER_DESCRIPTOR =
      "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";
  private static final String READER =
      "io/netty/util/internal/SystemPropertyUtil.get:" + READER_DESCRIPTOR;

  /** Netty's message for a type that it does not know. It would be wrong here. */
  private static final String UNKNOWN_TYPE_MESSAGE =
      "-Dio.netty.allocator.type: pooled (unknown: {})";

  private static final String KNOWN_TYPE_MESSAGE = "-Dio.netty.allocator.type: {}";

  private final ClassFile file;

  private ByteBufUtilPatch(ClassFile file) {
    this.file = file;
  }

  /**
   * Returns the changed class file, or the same array if it was already changed, as when the agent
   * sees a class defined by {@code MiMalloc.install()}.
   *
   * @throws OwnTypeException if Netty itself knows a type of that name
   * @throws UnexpectedClassException if the class is not as described above
   */
  public static byte[] apply(byte[] classFile) throws OwnTypeException, UnexpectedClassException {
    try {
      ClassFile file = new ClassFile(classFile);
      require(file.name().equals(TARGET), "it has another name");
      if (file.classes(HOLDER).length > 0) {
        return classFile;
      }
      if (file.entries(ClassFile.STRING).anyMatch(e -> file.text(e).equals(Selection.MIMALLOC))) {
        throw new OwnTypeException();
      }
      new ByteBufUtilPatch(file).apply();
      return file.toBytes();
    } catch (RuntimeException e) {
      throw new UnexpectedClassException(e);
    }
  }

  private void apply() throws UnexpectedClassException {
    int[] fields = file.members(ClassFile.FIELD, POOLED_DEFAULT);
    require(fields.length > 0, "it does not name PooledByteBufAllocator.DEFAULT");
    require(fields.length == 1, "it names PooledByteBufAllocator.DEFAULT more than once");
    check(fields[0]);
    int[] readers = file.members(ClassFile.METHOD, READER);
    require(readers.length == 1, "it does not read its type with SystemPropertyUtil.get");
    int holder = file.appendClass(HOLDER);
    file.redirect(fields[0], holder, file.appendNameAndType(HOLDER_FIELD, ALLOCATOR_DESCRIPTOR));
    file.redirect(readers[0], holder, file.appendNameAndType(HOLDER_METHOD, READER_DESCRIPTOR));
    correctMessage();
  }

  private void check(int field) throws UnexpectedClassException {
    boolean used = false;
    for (MethodCode method : file.methods()) {
      if (method.instructions().stream().anyMatch(instruction -> instruction.gets(field))) {
        require(
            method.method().equals("<clinit>"),
            "its method " + method.method() + " uses PooledByteBufAllocator.DEFAULT");
        require(
            isUsedAsDefault(method, field),
            "its static initialiser uses the pooled allocator for more than the default");
        used = true;
      }
    }
    require(used, "its static initialiser does not use PooledByteBufAllocator.DEFAULT");
    require(
        file.entries(ClassFile.METHOD_HANDLE).noneMatch(entry -> file.handleTarget(entry) == field),
        "it has a method handle for PooledByteBufAllocator.DEFAULT");
  }

  /**
   * Returns whether each value of the field is stored as an allocator, directly or from a local
   * variable.
   */
  private boolean isUsedAsDefault(MethodCode initializer, int field) {
    List<Instruction> code = initializer.instructions();
    Set<Integer> locals = new HashSet<>();
    for (int i = 0; i + 1 < code.size(); i++) {
      Instruction next = code.get(i + 1);
      if (code.get(i).gets(field) && !storesAllocator(next)) {
        if (next.opcode() != MethodCode.ASTORE) {
          return false;
        }
        locals.add(next.operand());
      }
    }
    for (int i = 0; i + 1 < code.size(); i++) {
      Instruction here = code.get(i);
      if (here.opcode() == MethodCode.ALOAD
          && locals.contains(here.operand())
          && !storesAllocator(code.get(i + 1))) {
        return false;
      }
    }
    return !initializer.framesName(file, POOLED);
  }

  private boolean storesAllocator(Instruction instruction) {
    return instruction.opcode() == MethodCode.PUTSTATIC
        && file.member(instruction.operand()).endsWith(':' + ALLOCATOR_DESCRIPTOR);
  }

  /** Corrects the log message, which also shows that an unknown type means the pooled allocator. */
  private void correctMessage() throws UnexpectedClassException {
    boolean found = false;
    for (int entry : file.entries(ClassFile.STRING).toArray()) {
      if (file.text(entry).equals(UNKNOWN_TYPE_MESSAGE)) {
        file.redirect(entry, file.appendUtf8(KNOWN_TYPE_MESSAGE));
        found = true;
      }
    }
    require(found, "it does not use the pooled allocator for unknown types");
  }
}
