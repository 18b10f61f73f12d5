package io.github.mimalloc4j.activation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The instructions of a method, decoded as far as needed to see how a value is used.
 *
 * @param method the method's name
 * @param descriptor the types of its parameters and its result
 * @param code the code itself, a part of the class file
 * @param instructions in the order of the code
 * @param frames the stack map, not decoded; null if the code has no branch targets
 */
record MethodCode(
    String method,
    String descriptor,
    ByteBuffer code,
    List<Instruction> instructions,
    @Nullable ByteBuffer frames) {

  /**
   * An instruction.
   *
   * @param offset in the code, in bytes
   * @param operand the number of a constant pool entry or of a local variable; -1 if neither
   */
  record Instruction(int offset, int opcode, int operand) {

    /** Returns whether it reads the static field of the given entry. */
    boolean gets(int field) {
      return opcode == GETSTATIC && operand == field;
    }

    /** Returns whether it calls the virtual method of the given entry. */
    boolean calls(int method) {
      return opcode == INVOKEVIRTUAL && operand == method;
    }
  }

  static final int GETSTATIC = 178;
  static final int PUTSTATIC = 179;
  static final int ARETURN = 176;
  static final int INVOKEVIRTUAL = 182;
  static final int INVOKEINTERFACE = 185;
  static final int INSTANCEOF = 193;
  static final int ALOAD = 25;
  static final int ASTORE = 58;

  private static final int ALOAD_0 = 42;
  private static final int ASTORE_0 = 75;
  private static final int INVOKESTATIC = 184;
  private static final int IINC = 132;
  private static final int TABLESWITCH = 170;
  private static final int LOOKUPSWITCH = 171;
  private static final int WIDE = 196;

  /** The tag before the entry of a class in a stack map. */
  private static final int OBJECT = 7;

  /** The length in bytes of each opcode's instruction, one digit each; 0 if it varies. */
  private static final String LENGTHS =
      ("1".repeat(16) + "23233") // Constants.
          + ("2".repeat(5) + "1".repeat(28)) // Loads by number, others.
          + ("2".repeat(5) + "1".repeat(73)) // Stores by number, others, arithmetic.
          + ("3" + "1".repeat(20)) // IINC, conversions, comparisons.
          + ("3".repeat(16) + "2" + "00" + "1".repeat(6)) // Branches, RET, switches, returns.
          + ("3".repeat(7) + "55") // Fields and calls.
          + ("323" + "11" + "33" + "11") // New objects and arrays, casts, monitors.
          + "0433" // WIDE, arrays of arrays, branches at null.
          + "55"; // Far branches.

  static MethodCode of(
      String method, String descriptor, ByteBuffer code, @Nullable ByteBuffer frames)
      throws UnexpectedClassException {
    List<Instruction> instructions = new ArrayList<>();
    for (int offset = 0; offset < code.limit(); ) {
      instructions.add(instruction(code, offset));
      int length = length(code, offset);
      if (length < 1) {
        throw new UnexpectedClassException("it has a switch of an invalid length");
      }
      offset += length;
    }
    return new MethodCode(method, descriptor, code, instructions, frames);
  }

  private static Instruction instruction(ByteBuffer code, int offset) {
    int opcode = u1(code, offset);
    return switch (opcode) {
      case GETSTATIC, PUTSTATIC, INVOKEVIRTUAL, INVOKEINTERFACE ->
          new Instruction(offset, opcode, u2(code, offset + 1));
      case ALOAD, ASTORE -> new Instruction(offset, opcode, u1(code, offset + 1));
      case ALOAD_0, ALOAD_0 + 1, ALOAD_0 + 2, ALOAD_0 + 3 ->
          new Instruction(offset, ALOAD, opcode - ALOAD_0);
      case ASTORE_0, ASTORE_0 + 1, ASTORE_0 + 2, ASTORE_0 + 3 ->
          new Instruction(offset, ASTORE, opcode - ASTORE_0);
      case WIDE -> new Instruction(offset, u1(code, offset + 1), u2(code, offset + 2));
      default -> new Instruction(offset, opcode, -1);
    };
  }

  /**
   * Replaces the call of a virtual method by one of a static method, which must take the receiver
   * as its first parameter and otherwise have the same types. Changes the class file.
   */
  void callStatic(Instruction call, int method) {
    assert call.opcode == INVOKEVIRTUAL;
    code.duplicate().position(call.offset).put((byte) INVOKESTATIC).putShort((short) method);
  }

  private static int length(ByteBuffer code, int offset) throws UnexpectedClassException {
    int opcode = u1(code, offset);
    int operands = (offset + 4) & -4; // Those of a switch are aligned.
    return switch (opcode) {
      case TABLESWITCH ->
          operands + 16 + 4 * (code.getInt(operands + 8) - code.getInt(operands + 4)) - offset;
      case LOOKUPSWITCH -> operands + 8 + 8 * code.getInt(operands + 4) - offset;
      case WIDE -> u1(code, offset + 1) == IINC ? 6 : 4;
      default -> {
        if (opcode >= LENGTHS.length()) {
          throw new UnexpectedClassException("it has an unknown instruction, " + opcode);
        }
        yield LENGTHS.charAt(opcode) - '0';
      }
    };
  }

  /**
   * Returns whether a local variable or a stack entry has the given type at some branch target.
   * Frames are not decoded: any three bytes that could encode the type count as a match. A match by
   * chance, one in sixteen million bytes, rejects the class; no use is missed.
   */
  boolean framesName(ClassFile file, String type) {
    if (frames != null) {
      for (int i = 0; i + 2 < frames.limit(); i++) {
        if (frames.get(i) == OBJECT && file.isClass(u2(frames, i + 1), type)) {
          return true;
        }
      }
    }
    return false;
  }

  private static int u1(ByteBuffer in, int offset) {
    return Byte.toUnsignedInt(in.get(offset));
  }

  private static int u2(ByteBuffer in, int offset) {
    return Short.toUnsignedInt(in.getShort(offset));
  }
}
