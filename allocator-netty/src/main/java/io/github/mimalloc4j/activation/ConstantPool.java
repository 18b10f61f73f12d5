package io.github.mimalloc4j.activation;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * The constant pool of a class file, for reading, for changing entries in place and for appending
 * entries. Entries keep their numbers, so that nothing else of the class has to change.
 *
 * <p>Not thread-safe.
 */
final class ConstantPool {

  static final int UTF8 = 1;
  static final int CLASS = 7;
  static final int STRING = 8;
  static final int FIELD = 9;
  static final int NAME_AND_TYPE = 12;
  static final int METHOD_HANDLE = 15;

  private static final int MAGIC = 0xCAFEBABE;

  /** Where the number of entries stands: after the magic number and the two version numbers. */
  private static final int COUNT_OFFSET = 8;

  private static final int MAX_COUNT = 0xFFFF;

  private final ByteBuffer file;

  /** Where each entry's tag stands; 0 for the numbers that no entry has. */
  private final int[] offsets;

  private final int end;
  private final ByteArrayOutputStream appended = new ByteArrayOutputStream();
  private int count;

  /** Parses the pool. The array is copied: {@link #toClassFile} gives the changed class. */
  ConstantPool(byte[] classFile) throws UnexpectedClassException {
    file = ByteBuffer.wrap(classFile.clone());
    if (file.limit() < COUNT_OFFSET + 2 || file.getInt(0) != MAGIC) {
      throw new UnexpectedClassException("it is no class file");
    }
    count = u2(COUNT_OFFSET);
    offsets = new int[count];
    int offset = COUNT_OFFSET + 2;
    for (int entry = 1; entry < count; entry++) {
      offsets[entry] = offset;
      int tag = file.get(offset);
      offset += size(tag, offset);
      if (tag == 5 || tag == 6) {
        entry++; // A long or a double takes two numbers.
      }
    }
    end = offset;
  }

  private int size(int tag, int offset) throws UnexpectedClassException {
    return switch (tag) {
      case UTF8 -> 3 + u2(offset + 1);
      case 3, 4, FIELD, 10, 11, NAME_AND_TYPE, 17, 18 -> 5;
      case 5, 6 -> 9;
      case CLASS, STRING, 16, 19, 20 -> 3;
      case METHOD_HANDLE -> 4;
      default -> throw new UnexpectedClassException("its constant pool has an unknown tag, " + tag);
    };
  }

  /** The first number that no entry of the file has; entries are numbered from 1. */
  int parsedCount() {
    return offsets.length;
  }

  /** Where the file goes on behind the pool. */
  int end() {
    return end;
  }

  boolean is(int entry, int tag) {
    return entry > 0
        && entry < offsets.length
        && offsets[entry] != 0
        && file.get(offsets[entry]) == tag;
  }

  /** The first of the two numbers of an entry, or its only one. */
  int first(int entry) {
    return u2(offsets[entry] + 1);
  }

  int second(int entry) {
    return u2(offsets[entry] + 3);
  }

  /** The number of the entry that a method handle stands for. */
  int handleTarget(int entry) {
    return u2(offsets[entry] + 2);
  }

  String utf8(int entry) {
    int offset = offsets[entry] + 1;
    byte[] bytes = new byte[2 + u2(offset)];
    file.get(offset, bytes);
    try {
      return new DataInputStream(new ByteArrayInputStream(bytes)).readUTF();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of a class or the value of a string. */
  String text(int entry) {
    return utf8(first(entry));
  }

  /** A field as {@code owner.name:descriptor}. */
  String member(int entry) {
    int nameAndType = second(entry);
    return text(first(entry)) + '.' + utf8(first(nameAndType)) + ':' + descriptor(entry);
  }

  /** The descriptor of a field. */
  String descriptor(int entry) {
    return utf8(second(second(entry)));
  }

  /** Lets an entry of one or two numbers stand for something else. */
  void redirect(int entry, int... numbers) {
    for (int i = 0; i < numbers.length; i++) {
      file.putShort(offsets[entry] + 1 + 2 * i, (short) numbers[i]);
    }
  }

  int appendUtf8(String text) throws UnexpectedClassException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      new DataOutputStream(bytes).writeUTF(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return append(UTF8, bytes.toByteArray());
  }

  int appendClass(String name) throws UnexpectedClassException {
    return append(CLASS, twoBytes(appendUtf8(name)));
  }

  int appendNameAndType(String name, String descriptor) throws UnexpectedClassException {
    byte[] nameNumber = twoBytes(appendUtf8(name));
    byte[] descriptorNumber = twoBytes(appendUtf8(descriptor));
    return append(
        NAME_AND_TYPE,
        new byte[] {nameNumber[0], nameNumber[1], descriptorNumber[0], descriptorNumber[1]});
  }

  private int append(int tag, byte[] content) throws UnexpectedClassException {
    if (count >= MAX_COUNT) {
      throw new UnexpectedClassException("its constant pool is full");
    }
    appended.write(tag);
    appended.writeBytes(content);
    return count++;
  }

  /** The class file with what was redirected and appended. */
  byte[] toClassFile() {
    byte[] tail = appended.toByteArray();
    ByteBuffer result = ByteBuffer.allocate(file.limit() + tail.length);
    result.put(file.array(), 0, end).put(tail).put(file.array(), end, file.limit() - end);
    result.putShort(COUNT_OFFSET, (short) count);
    return result.array();
  }

  private int u2(int offset) {
    return Short.toUnsignedInt(file.getShort(offset));
  }

  private static byte[] twoBytes(int value) {
    return new byte[] {(byte) (value >>> 8), (byte) value};
  }
}
