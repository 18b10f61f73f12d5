package io.github.mimalloc4j.activation;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A class file whose constant pool, supertypes and code can be read. Entries of the pool can be
 * changed in place and appended, and calls can be replaced by others of the same length. Existing
 * entries keep their numbers, so nothing else in the class has to change. The version of the file
 * is ignored.
 *
 * <p>The methods throw some {@link RuntimeException} if the file is damaged. Not thread-safe.
 */
public final class ClassFile {

  static final int CLASS = 7;
  static final int STRING = 8;
  static final int FIELD = 9;
  static final int METHOD = 10;
  static final int METHOD_HANDLE = 15;

  private static final int UTF8 = 1;
  private static final int NAME_AND_TYPE = 12;
  private static final int MAGIC = 0xCAFEBABE;

  /** The offset of the number of entries, after the magic number and two version numbers. */
  private static final int COUNT_OFFSET = 8;

  private static final int MAX_COUNT = 0xFFFF;

  private final ByteBuffer file;

  /** The offset of each entry's tag; 0 for numbers without an entry. */
  private final int[] offsets;

  /** The offset of the access flags, which follow the pool. */
  private final int end;

  private final ByteArrayOutputStream appended = new ByteArrayOutputStream();
  private int count;

  /** Parses the pool of a copy of the array. {@link #toBytes} returns the changed class file. */
  public ClassFile(byte[] classFile) throws UnexpectedClassException {
    file = ByteBuffer.wrap(classFile.clone());
    if (file.getInt(0) != MAGIC) {
      throw new UnexpectedClassException("it is not a class file");
    }
    count = u2(COUNT_OFFSET);
    offsets = new int[count];
    int offset = COUNT_OFFSET + 2;
    for (int entry = 1; entry < count; entry++) {
      offsets[entry] = offset;
      int tag = file.get(offset);
      offset +=
          switch (tag) {
            case UTF8 -> 3 + u2(offset + 1);
            case 3, 4, FIELD, METHOD, 11, NAME_AND_TYPE, 17, 18 -> 5;
            case 5, 6 -> 9;
            case CLASS, STRING, 16, 19, 20 -> 3;
            case METHOD_HANDLE -> 4;
            default ->
                throw new UnexpectedClassException("its constant pool has an unknown tag, " + tag);
          };
      if (tag == 5 || tag == 6) {
        entry++; // A long or a double takes two numbers.
      }
    }
    end = offset;
  }

  /** Returns the internal name of the class. */
  String name() {
    return text(u2(end + 2));
  }

  /** Returns the names of the superclass and the interfaces, as {@link Class#getName} does. */
  public List<String> superTypes() {
    return IntStream.rangeClosed(0, u2(end + 6))
        .map(i -> u2(end + (i == 0 ? 4 : 6 + 2 * i)))
        .filter(entry -> entry != 0) // Object has no superclass.
        .mapToObj(entry -> text(entry).replace('/', '.'))
        .toList();
  }

  /** Returns the methods that have code. */
  List<MethodCode> methods() throws UnexpectedClassException {
    List<MethodCode> result = new ArrayList<>();
    ByteBuffer in = file.duplicate().position(end + 8 + 2 * u2(end + 6));
    for (int table = 0; table < 2; table++) { // Fields, then methods, in the same format.
      for (int members = u2(in); members > 0; members--) {
        skip(in, 2);
        String name = utf8(u2(in));
        String descriptor = utf8(u2(in));
        ByteBuffer code = attribute(in, "Code");
        if (code != null) {
          skip(code, 4); // The limits of stack and locals.
          int length = code.getInt();
          ByteBuffer instructions = code.slice(code.position(), length);
          skip(code, length);
          skip(code, 8 * u2(code)); // The exception table.
          result.add(
              MethodCode.of(name, descriptor, instructions, attribute(code, "StackMapTable")));
        }
      }
    }
    return result;
  }

  /** Reads all attributes. Returns the content of the one with the given name, or null. */
  private @Nullable ByteBuffer attribute(ByteBuffer in, String name) {
    ByteBuffer found = null;
    for (int attributes = u2(in); attributes > 0; attributes--) {
      boolean wanted = utf8(u2(in)).equals(name);
      int length = in.getInt();
      if (wanted) {
        found = in.slice(in.position(), length);
      }
      skip(in, length);
    }
    return found;
  }

  /** Returns the numbers of the file's own entries with the given tag. */
  IntStream entries(int tag) {
    return IntStream.range(1, offsets.length).filter(entry -> is(entry, tag));
  }

  /** Returns the numbers of the file's own entries for a class. */
  int[] classes(String name) {
    return entries(CLASS).filter(entry -> text(entry).equals(name)).toArray();
  }

  /** Returns the numbers of the file's own entries for a field or method, as {@link #member}. */
  int[] members(int tag, String member) {
    return entries(tag).filter(entry -> member(entry).equals(member)).toArray();
  }

  /** Returns whether an entry is the class with the given name. */
  boolean isClass(int entry, String name) {
    return entry < offsets.length && is(entry, CLASS) && text(entry).equals(name);
  }

  private boolean is(int entry, int tag) {
    return offsets[entry] != 0 && file.get(offsets[entry]) == tag;
  }

  /** Returns the name of a class or the value of a string. */
  String text(int entry) {
    return utf8(u2(offsets[entry] + 1));
  }

  /** Returns a field or a method as {@code owner.name:descriptor}. */
  String member(int entry) {
    int nameAndType = offsets[u2(offsets[entry] + 3)];
    return text(u2(offsets[entry] + 1))
        + '.'
        + utf8(u2(nameAndType + 1))
        + ':'
        + utf8(u2(nameAndType + 3));
  }

  /** Returns the number of the entry that a method handle refers to. */
  int handleTarget(int entry) {
    return u2(offsets[entry] + 2);
  }

  /** Decodes UTF-8, which equals the encoding of class files for ASCII. All our names are ASCII. */
  private String utf8(int entry) {
    int offset = offsets[entry] + 1;
    return new String(file.array(), offset + 2, u2(offset), StandardCharsets.UTF_8);
  }

  /** Makes an entry of one or two numbers refer to other entries. */
  void redirect(int entry, int... numbers) {
    file.duplicate().position(offsets[entry] + 1).put(u2s(numbers));
  }

  int appendUtf8(String text) throws UnexpectedClassException {
    int entry = append(UTF8, text.length());
    appended.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    return entry;
  }

  int appendClass(String name) throws UnexpectedClassException {
    return append(CLASS, appendUtf8(name));
  }

  int appendNameAndType(String name, String descriptor) throws UnexpectedClassException {
    return append(NAME_AND_TYPE, appendUtf8(name), appendUtf8(descriptor));
  }

  int appendMethod(String owner, String name, String descriptor) throws UnexpectedClassException {
    return append(METHOD, appendClass(owner), appendNameAndType(name, descriptor));
  }

  private int append(int tag, int... numbers) throws UnexpectedClassException {
    if (count >= MAX_COUNT) {
      throw new UnexpectedClassException("its constant pool is full");
    }
    appended.write(tag);
    appended.writeBytes(u2s(numbers));
    return count++;
  }

  /** Returns the class file with all changes. */
  byte[] toBytes() {
    ByteBuffer result = ByteBuffer.allocate(file.limit() + appended.size());
    result.put(file.slice(0, end)).put(appended.toByteArray());
    result.put(file.slice(end, file.limit() - end));
    return result.putShort(COUNT_OFFSET, (short) count).array();
  }

  private int u2(int offset) {
    return Short.toUnsignedInt(file.getShort(offset));
  }

  private static int u2(ByteBuffer in) {
    return Short.toUnsignedInt(in.getShort());
  }

  private static void skip(ByteBuffer in, int bytes) {
    in.position(in.position() + bytes);
  }

  private static byte[] u2s(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * values.length);
    for (int value : values) {
      bytes.putShort((short) value);
    }
    return bytes.array();
  }
}
