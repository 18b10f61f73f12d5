package io.github.mimalloc4j.activation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The instructions of a method and the types that its stack map names: as much as it takes to see
 * how a field's value is used.
 *
 * @param method the method's name
 * @param instructions in their order in the code
 * @param frameTypes entries of the constant pool, the types of locals and stack at branch targets
 */
record MethodCode(String method, List<Instruction> instructions, List<Integer> frameTypes) {

  /**
   * An instruction.
   *
   * @param operand the entry of the constant pool or the local variable; -1 for neither
   */
  record Instruction(int opcode, int operand) {}

  static final int GETSTATIC = 178;
  static final int PUTSTATIC = 179;
  static final int ALOAD = 25;
  static final int ASTORE = 58;

  private static final int ALOAD_0 = 42;
  private static final int ASTORE_0 = 75;
  private static final int IINC = 132;
  private static final int TABLESWITCH = 170;
  private static final int LOOKUPSWITCH = 171;
  private static final int WIDE = 196;

  /** Bytes of an instruction by its opcode; 0 where they depend on more than that. */
  private static final byte[] LENGTHS = lengths();

  private static final int OBJECT = 7;
  private static final int UNINITIALIZED = 8;

  /**
   * The code of all methods.
   *
   * @param fieldsOffset where the class file's number of fields stands
   */
  static List<MethodCode> readAll(byte[] classFile, ConstantPool pool, int fieldsOffset)
      throws UnexpectedClassException {
    ByteBuffer in = ByteBuffer.wrap(classFile).position(fieldsOffset);
    for (int fields = u2(in); fields > 0; fields--) {
      skip(in, 6);
      for (int attributes = u2(in); attributes > 0; attributes--) {
        skip(in, 2);
        skip(in, in.getInt());
      }
    }
    List<MethodCode> result = new ArrayList<>();
    for (int methods = u2(in); methods > 0; methods--) {
      skip(in, 2);
      String name = pool.utf8(u2(in));
      skip(in, 2);
      ByteBuffer code = attribute(in, pool, "Code");
      if (code != null) {
        result.add(read(name, code, pool));
      }
    }
    return result;
  }

  private static MethodCode read(String name, ByteBuffer code, ConstantPool pool)
      throws UnexpectedClassException {
    skip(code, 4); // The limits of stack and locals.
    int length = code.getInt();
    List<Instruction> instructions = instructions(code.slice(code.position(), length));
    skip(code, length);
    skip(code, 8 * u2(code)); // The exception table.
    ByteBuffer frames = attribute(code, pool, "StackMapTable");
    return new MethodCode(name, instructions, frames == null ? List.of() : frameTypes(frames));
  }

  /** Reads all attributes and returns the content of the one of that name. */
  private static @Nullable ByteBuffer attribute(ByteBuffer in, ConstantPool pool, String name) {
    ByteBuffer found = null;
    for (int attributes = u2(in); attributes > 0; attributes--) {
      boolean wanted = pool.utf8(u2(in)).equals(name);
      int length = in.getInt();
      if (wanted) {
        found = in.slice(in.position(), length);
      }
      skip(in, length);
    }
    return found;
  }

  private static List<Instruction> instructions(ByteBuffer code) throws UnexpectedClassException {
    List<Instruction> result = new ArrayList<>();
    int offset = 0;
    while (offset < code.limit()) {
      int opcode = Byte.toUnsignedInt(code.get(offset));
      int length = length(code, offset, opcode);
      result.add(instruction(code, offset, opcode));
      offset += length;
    }
    return result;
  }

  private static Instruction instruction(ByteBuffer code, int offset, int opcode) {
    if (opcode == GETSTATIC || opcode == PUTSTATIC) {
      return new Instruction(opcode, Short.toUnsignedInt(code.getShort(offset + 1)));
    }
    if (opcode == ALOAD || opcode == ASTORE) {
      return new Instruction(opcode, Byte.toUnsignedInt(code.get(offset + 1)));
    }
    if (opcode >= ALOAD_0 && opcode < ALOAD_0 + 4) {
      return new Instruction(ALOAD, opcode - ALOAD_0);
    }
    if (opcode >= ASTORE_0 && opcode < ASTORE_0 + 4) {
      return new Instruction(ASTORE, opcode - ASTORE_0);
    }
    if (opcode == WIDE) {
      return new Instruction(
          Byte.toUnsignedInt(code.get(offset + 1)), Short.toUnsignedInt(code.getShort(offset + 2)));
    }
    return new Instruction(opcode, -1);
  }

  private static int length(ByteBuffer code, int offset, int opcode)
      throws UnexpectedClassException {
    int operands = (offset + 4) & -4; // Those of a switch are aligned.
    if (opcode == TABLESWITCH) {
      int entries = code.getInt(operands + 8) - code.getInt(operands + 4) + 1;
      return operands + 12 + 4 * entries - offset;
    }
    if (opcode == LOOKUPSWITCH) {
      return operands + 8 + 8 * code.getInt(operands + 4) - offset;
    }
    if (opcode == WIDE) {
      return Byte.toUnsignedInt(code.get(offset + 1)) == IINC ? 6 : 4;
    }
    if (opcode >= LENGTHS.length) {
      throw new UnexpectedClassException("it has an unknown instruction, " + opcode);
    }
    return LENGTHS[opcode];
  }

  private static List<Integer> frameTypes(ByteBuffer in) throws UnexpectedClassException {
    List<Integer> types = new ArrayList<>();
    for (int frames = u2(in); frames > 0; frames--) {
      int kind = Byte.toUnsignedInt(in.get());
      if (kind >= 64 && kind < 128) {
        readTypes(in, 1, types);
      } else if (kind == 247) {
        skip(in, 2);
        readTypes(in, 1, types);
      } else if (kind >= 248 && kind < 252) {
        skip(in, 2);
      } else if (kind >= 252 && kind < 255) {
        skip(in, 2);
        readTypes(in, kind - 251, types);
      } else if (kind == 255) {
        skip(in, 2);
        readTypes(in, u2(in), types);
        readTypes(in, u2(in), types);
      } else if (kind >= 128) {
        throw new UnexpectedClassException("it has an unknown stack map frame, " + kind);
      }
    }
    return types;
  }

  private static void readTypes(ByteBuffer in, int count, List<Integer> types) {
    for (; count > 0; count--) {
      int tag = in.get();
      if (tag == OBJECT) {
        types.add(u2(in));
      } else if (tag == UNINITIALIZED) {
        skip(in, 2);
      }
    }
  }

  private static byte[] lengths() {
    byte[] lengths = new byte[202];
    Arrays.fill(lengths, (byte) 1);
    Arrays.fill(lengths, 16, 26, (byte) 2); // Small constants, and loads by number.
    Arrays.fill(lengths, 17, 18, (byte) 3);
    Arrays.fill(lengths, 19, 21, (byte) 3);
    Arrays.fill(lengths, 54, 59, (byte) 2); // Stores by number.
    lengths[IINC] = 3;
    Arrays.fill(lengths, 153, 169, (byte) 3); // Branches.
    lengths[169] = 2;
    Arrays.fill(lengths, 178, 185, (byte) 3); // Fields and calls.
    Arrays.fill(lengths, 185, 187, (byte) 5);
    lengths[187] = 3;
    lengths[188] = 2;
    lengths[189] = 3;
    Arrays.fill(lengths, 192, 194, (byte) 3); // Casts.
    lengths[197] = 4;
    Arrays.fill(lengths, 198, 200, (byte) 3);
    Arrays.fill(lengths, 200, 202, (byte) 5);
    return lengths;
  }

  private static int u2(ByteBuffer in) {
    return Short.toUnsignedInt(in.getShort());
  }

  private static void skip(ByteBuffer in, int bytes) {
    in.position(in.position() + bytes);
  }
}
