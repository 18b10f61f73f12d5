package io.github.mimalloc4j.netty.support;

import io.netty.buffer.ByteBuf;
import java.nio.ByteOrder;

/**
 * The primitives that a ByteBuf can get, set, read and write, each value as a long: the raw bits
 * for float and double, 0 or 1 for boolean.
 */
public enum Primitive {
  BOOLEAN(
      1,
      Bits.FLAG,
      (b, i) -> b.getBoolean(i) ? 1 : 0,
      (b, i, v) -> b.setBoolean(i, v != 0),
      b -> b.readBoolean() ? 1 : 0,
      (b, v) -> b.writeBoolean(v != 0)),
  BYTE(
      1,
      Bits.SIGNED,
      ByteBuf::getByte,
      (b, i, v) -> b.setByte(i, (int) v),
      ByteBuf::readByte,
      (b, v) -> b.writeByte((int) v)),
  UNSIGNED_BYTE(1, Bits.UNSIGNED, ByteBuf::getUnsignedByte, ByteBuf::readUnsignedByte, BYTE),
  SHORT(
      2,
      Bits.SIGNED,
      ByteBuf::getShort,
      (b, i, v) -> b.setShort(i, (int) v),
      ByteBuf::readShort,
      (b, v) -> b.writeShort((int) v)),
  SHORT_LE(
      2,
      Bits.SIGNED,
      ByteBuf::getShortLE,
      (b, i, v) -> b.setShortLE(i, (int) v),
      ByteBuf::readShortLE,
      (b, v) -> b.writeShortLE((int) v)),
  UNSIGNED_SHORT(2, Bits.UNSIGNED, ByteBuf::getUnsignedShort, ByteBuf::readUnsignedShort, SHORT),
  UNSIGNED_SHORT_LE(
      2, Bits.UNSIGNED, ByteBuf::getUnsignedShortLE, ByteBuf::readUnsignedShortLE, SHORT_LE),
  CHAR(
      2,
      Bits.UNSIGNED,
      ByteBuf::getChar,
      (b, i, v) -> b.setChar(i, (int) v),
      ByteBuf::readChar,
      (b, v) -> b.writeChar((int) v)),
  MEDIUM(
      3,
      Bits.SIGNED,
      ByteBuf::getMedium,
      (b, i, v) -> b.setMedium(i, (int) v),
      ByteBuf::readMedium,
      (b, v) -> b.writeMedium((int) v)),
  MEDIUM_LE(
      3,
      Bits.SIGNED,
      ByteBuf::getMediumLE,
      (b, i, v) -> b.setMediumLE(i, (int) v),
      ByteBuf::readMediumLE,
      (b, v) -> b.writeMediumLE((int) v)),
  UNSIGNED_MEDIUM(
      3, Bits.UNSIGNED, ByteBuf::getUnsignedMedium, ByteBuf::readUnsignedMedium, MEDIUM),
  UNSIGNED_MEDIUM_LE(
      3, Bits.UNSIGNED, ByteBuf::getUnsignedMediumLE, ByteBuf::readUnsignedMediumLE, MEDIUM_LE),
  INT(
      4,
      Bits.SIGNED,
      ByteBuf::getInt,
      (b, i, v) -> b.setInt(i, (int) v),
      ByteBuf::readInt,
      (b, v) -> b.writeInt((int) v)),
  INT_LE(
      4,
      Bits.SIGNED,
      ByteBuf::getIntLE,
      (b, i, v) -> b.setIntLE(i, (int) v),
      ByteBuf::readIntLE,
      (b, v) -> b.writeIntLE((int) v)),
  UNSIGNED_INT(4, Bits.UNSIGNED, ByteBuf::getUnsignedInt, ByteBuf::readUnsignedInt, INT),
  UNSIGNED_INT_LE(4, Bits.UNSIGNED, ByteBuf::getUnsignedIntLE, ByteBuf::readUnsignedIntLE, INT_LE),
  FLOAT(
      4,
      Bits.SIGNED,
      (b, i) -> Float.floatToRawIntBits(b.getFloat(i)),
      (b, i, v) -> b.setFloat(i, Float.intBitsToFloat((int) v)),
      b -> Float.floatToRawIntBits(b.readFloat()),
      (b, v) -> b.writeFloat(Float.intBitsToFloat((int) v))),
  FLOAT_LE(
      4,
      Bits.SIGNED,
      (b, i) -> Float.floatToRawIntBits(b.getFloatLE(i)),
      (b, i, v) -> b.setFloatLE(i, Float.intBitsToFloat((int) v)),
      b -> Float.floatToRawIntBits(b.readFloatLE()),
      (b, v) -> b.writeFloatLE(Float.intBitsToFloat((int) v))),
  LONG(8, Bits.SIGNED, ByteBuf::getLong, ByteBuf::setLong, ByteBuf::readLong, ByteBuf::writeLong),
  LONG_LE(
      8,
      Bits.SIGNED,
      ByteBuf::getLongLE,
      ByteBuf::setLongLE,
      ByteBuf::readLongLE,
      ByteBuf::writeLongLE),
  DOUBLE(
      8,
      Bits.SIGNED,
      (b, i) -> Double.doubleToRawLongBits(b.getDouble(i)),
      (b, i, v) -> b.setDouble(i, Double.longBitsToDouble(v)),
      b -> Double.doubleToRawLongBits(b.readDouble()),
      (b, v) -> b.writeDouble(Double.longBitsToDouble(v))),
  DOUBLE_LE(
      8,
      Bits.SIGNED,
      (b, i) -> Double.doubleToRawLongBits(b.getDoubleLE(i)),
      (b, i, v) -> b.setDoubleLE(i, Double.longBitsToDouble(v)),
      b -> Double.doubleToRawLongBits(b.readDoubleLE()),
      (b, v) -> b.writeDoubleLE(Double.longBitsToDouble(v)));

  private enum Bits {
    SIGNED,
    UNSIGNED,
    FLAG
  }

  public interface Getter {
    long get(ByteBuf buffer, int index);
  }

  public interface Setter {
    ByteBuf set(ByteBuf buffer, int index, long value);
  }

  public interface Reader {
    long read(ByteBuf buffer);
  }

  public interface Writer {
    ByteBuf write(ByteBuf buffer, long value);
  }

  public final int width;
  public final Getter getter;
  public final Setter setter;
  public final Reader reader;
  public final Writer writer;
  private final Bits bits;

  Primitive(int width, Bits bits, Getter getter, Setter setter, Reader reader, Writer writer) {
    this.width = width;
    this.bits = bits;
    this.getter = getter;
    this.setter = setter;
    this.reader = reader;
    this.writer = writer;
  }

  /** An unsigned form, which a ByteBuf can get and read only, with the setters of the signed. */
  Primitive(int width, Bits bits, Getter getter, Reader reader, Primitive signed) {
    this(width, bits, getter, signed.setter, reader, signed.writer);
  }

  /** The order of the bytes in a buffer of the default order. */
  public ByteOrder order() {
    return name().endsWith("_LE") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
  }

  /** The value that the model's bytes stand for. */
  public long decode(byte[] model, int index, ByteOrder order) {
    long raw = 0;
    for (int i = 0; i < width; i++) {
      int at = order == ByteOrder.BIG_ENDIAN ? index + i : index + width - 1 - i;
      raw = raw << 8 | model[at] & 0xff;
    }
    int unused = Long.SIZE - Byte.SIZE * width;
    return switch (bits) {
      case FLAG -> raw == 0 ? 0 : 1;
      case UNSIGNED -> raw;
      case SIGNED -> raw << unused >> unused;
    };
  }

  /** Stores the value in the model's bytes; bits beyond the width are dropped. */
  public void encode(byte[] model, int index, ByteOrder order, long value) {
    long raw = bits == Bits.FLAG && value != 0 ? 1 : value;
    for (int i = 0; i < width; i++) {
      int at = order == ByteOrder.LITTLE_ENDIAN ? index + i : index + width - 1 - i;
      model[at] = (byte) (raw >>> (Byte.SIZE * i));
    }
  }
}
