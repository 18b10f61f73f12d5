package io.github.mimalloc4j.netty.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.contract.ShortChannel;
import io.github.mimalloc4j.netty.support.ByteBufMethods;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.AsciiString;
import io.netty.util.ByteProcessor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes the arguments of calls, by their types, out of a fuzzer's bytes. */
final class ByteBufArguments {

  /** Their last parameter is a value of any bits, not an index or a length. */
  private static final Set<String> STORES_A_NUMBER =
      namesOf("(set|write)(Byte|Short|Char|Medium|Int|Long)(LE)?");

  private static final int MAX_LENGTH = 100;

  private static final List<Charset> CHARSETS =
      List.of(
          StandardCharsets.UTF_8,
          StandardCharsets.US_ASCII,
          StandardCharsets.ISO_8859_1,
          StandardCharsets.UTF_16);

  private static final List<CharSequence> TEXTS =
      List.of(
          "",
          "plain",
          "\u00e4\u00f6\u00fc",
          "\u20ac and \ud83d\ude00",
          "\ud83d",
          "a\udc00z",
          AsciiString.of("ascii"),
          new StringBuilder("built"));

  /** For the buffer under test, and for the reference. */
  private static final FileChannel[] FILES = {newFile(), newFile()};

  private final FuzzInput input;
  private final ByteBufAllocator allocator;
  private final List<BufferPair> known;

  /**
   * Makes arguments.
   *
   * @param allocator makes buffers for arguments, too
   * @param known may become arguments
   */
  ByteBufArguments(FuzzInput input, ByteBufAllocator allocator, List<BufferPair> known) {
    this.input = input;
    this.allocator = allocator;
    this.known = known;
  }

  private static Set<String> namesOf(String pattern) {
    return ByteBufMethods.COMPARABLE.stream()
        .map(Method::getName)
        .filter(name -> name.matches(pattern))
        .collect(Collectors.toSet());
  }

  /** The arguments of a call on the buffer. */
  List<ArgumentPair> of(Method method, ByteBuf buffer) {
    List<ArgumentPair> arguments = new ArrayList<>();
    for (Class<?> type : method.getParameterTypes()) {
      boolean last = arguments.size() == method.getParameterCount() - 1;
      boolean anyBits = last && STORES_A_NUMBER.contains(method.getName());
      arguments.add(anyBits ? ofNumber(type) : of(type, method, buffer));
    }
    return arguments;
  }

  private ArgumentPair ofNumber(Class<?> type) {
    long number = input.number();
    return type == int.class ? ArgumentPair.of((int) number) : ArgumentPair.of(number);
  }

  private ArgumentPair of(Class<?> type, Method method, ByteBuf buffer) {
    if (type == int.class) {
      return ArgumentPair.of(ofInt(method.getName(), buffer));
    } else if (type == long.class) { // a position in a file
      return ArgumentPair.of(input.below(MAX_LENGTH) - 1L);
    } else if (type == boolean.class) {
      return ArgumentPair.of(input.flag());
    } else if (type == byte.class) {
      return ArgumentPair.of(content(input.oneByte()));
    } else if (type == float.class) {
      return ArgumentPair.of((float) input.number());
    } else if (type == double.class) {
      return ArgumentPair.of((double) input.number());
    } else if (type == Charset.class) {
      return ArgumentPair.of(input.oneOf(CHARSETS));
    } else if (type == CharSequence.class) {
      return ArgumentPair.of(input.oneOf(TEXTS));
    } else if (type == ByteOrder.class) {
      return ArgumentPair.of(input.flag() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    } else if (type == byte[].class) {
      return array();
    } else if (type == ByteBuf.class || type == Object.class) {
      return input.oneByte() % 3 == 0 && !readsBehindTheEnd(method) ? knownBuffer() : newBuffer();
    } else if (type == ByteBuffer.class) {
      return nioBuffer();
    } else if (type == ByteProcessor.class) {
      return processor();
    } else if (type == InputStream.class) {
      byte[] bytes = content(0, input.below(MAX_LENGTH));
      return new ArgumentPair(
          new ByteArrayInputStream(bytes), new ByteArrayInputStream(bytes), () -> {});
    } else if (type == OutputStream.class) {
      return outputStream();
    } else if (type == GatheringByteChannel.class) {
      return gatheringChannel();
    } else if (type == ScatteringByteChannel.class) {
      return scatteringChannel();
    } else if (type == FileChannel.class) {
      return file();
    }
    throw new AssertionError("no arguments of this type are made yet: " + method);
  }

  private int ofInt(String method, ByteBuf buffer) {
    return switch (method) {
      case "retain", "release" -> input.below(8) - 2; // with huge ones Netty's own count wraps
      case "capacity" -> input.near(buffer.maxCapacity());
      default -> input.near(buffer.capacity());
    };
  }

  /** From a buffer that grows during the call, bytes may be taken that nobody wrote. */
  private static boolean readsBehindTheEnd(Method method) {
    return method.getName().equals("writeBytes") && method.getParameterCount() == 3;
  }

  /** Few values, so that searches find them, of both signs. */
  static byte content(int index) {
    return (byte) ((index * 0x9E37_79B1 >>> 28) - 8);
  }

  static byte[] content(int from, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = content(from + i);
    }
    return bytes;
  }

  private ArgumentPair array() {
    byte[] tested = content(1, input.below(MAX_LENGTH));
    byte[] reference = tested.clone();
    return new ArgumentPair(tested, reference, () -> assertThat(tested).isEqualTo(reference));
  }

  private ArgumentPair knownBuffer() {
    BufferPair pair = input.oneOf(known);
    return new ArgumentPair(pair.tested, pair.reference, () -> {});
  }

  private ArgumentPair newBuffer() {
    int kind = input.oneByte();
    int capacity = 1 + input.below(MAX_LENGTH);
    int writer = input.below(capacity + 1);
    int reader = input.below(writer + 1);
    ByteBuf tested = newBuffer(kind, capacity).setIndex(reader, writer);
    ByteBuf reference = newBuffer(kind, capacity).setIndex(reader, writer);
    Runnable check =
        () -> {
          new BufferPair(tested, reference).check();
          tested.release();
          reference.release();
        };
    return new ArgumentPair(tested, reference, check);
  }

  private ByteBuf newBuffer(int kind, int capacity) {
    ByteBufAllocator unpooled = UnpooledByteBufAllocator.DEFAULT;
    ByteBuf buffer =
        switch (kind % 6) {
          case 0 -> allocator.directBuffer(capacity);
          case 1 -> allocator.heapBuffer(capacity);
          case 2 -> unpooled.directBuffer(capacity);
          case 3 -> unpooled.heapBuffer(capacity);
          default ->
              unpooled
                  .compositeBuffer()
                  .addComponent(true, allocator.directBuffer(capacity).setIndex(0, capacity / 2))
                  .addComponent(true, allocator.heapBuffer(capacity).setIndex(0, capacity))
                  .addComponent(true, unpooled.directBuffer(capacity).setIndex(0, capacity));
        };
    return buffer.setBytes(0, content(2, buffer.capacity()));
  }

  private ArgumentPair nioBuffer() {
    boolean direct = input.flag();
    boolean readOnly = input.oneByte() % 4 == 0;
    int capacity = input.below(MAX_LENGTH);
    int limit = input.below(capacity + 1);
    int position = input.below(limit + 1);
    ByteBuffer tested = newNioBuffer(direct, capacity).limit(limit).position(position);
    ByteBuffer reference = newNioBuffer(direct, capacity).limit(limit).position(position);
    Runnable check =
        () -> {
          assertThat(tested.position()).as("position").isEqualTo(reference.position());
          assertThat(tested.limit()).as("limit").isEqualTo(reference.limit());
          assertThat(tested.clear()).isEqualTo(reference.clear());
        };
    return readOnly
        ? new ArgumentPair(tested.asReadOnlyBuffer(), reference.asReadOnlyBuffer(), check)
        : new ArgumentPair(tested, reference, check);
  }

  private static ByteBuffer newNioBuffer(boolean direct, int capacity) {
    ByteBuffer buffer =
        direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
    return buffer.put(0, content(3, capacity));
  }

  /** Notes what it is shown, up to a value that it looks for. */
  private ArgumentPair processor() {
    byte wanted = content(input.oneByte());
    ByteArrayOutputStream tested = new ByteArrayOutputStream();
    ByteArrayOutputStream reference = new ByteArrayOutputStream();
    return new ArgumentPair(
        noting(tested, wanted),
        noting(reference, wanted),
        () -> assertThat(tested.toByteArray()).isEqualTo(reference.toByteArray()));
  }

  private static ByteProcessor noting(ByteArrayOutputStream seen, byte wanted) {
    return value -> {
      seen.write(value);
      return value != wanted;
    };
  }

  private static ArgumentPair outputStream() {
    ByteArrayOutputStream tested = new ByteArrayOutputStream();
    ByteArrayOutputStream reference = new ByteArrayOutputStream();
    return new ArgumentPair(
        tested,
        reference,
        () -> assertThat(tested.toByteArray()).isEqualTo(reference.toByteArray()));
  }

  private ArgumentPair gatheringChannel() {
    int limit = input.oneByte();
    ShortChannel tested = ShortChannel.writable(limit);
    ShortChannel reference = ShortChannel.writable(limit);
    return new ArgumentPair(
        tested, reference, () -> assertThat(tested.written()).isEqualTo(reference.written()));
  }

  private ArgumentPair scatteringChannel() {
    byte[] bytes = content(4, input.below(MAX_LENGTH));
    int limit = input.oneByte();
    ShortChannel tested = ShortChannel.readable(bytes, limit);
    ShortChannel reference = ShortChannel.readable(bytes, limit);
    if (input.oneByte() % 8 == 0) {
      tested.close();
      reference.close();
    }
    return new ArgumentPair(tested, reference, () -> {});
  }

  private ArgumentPair file() {
    byte[] bytes = content(5, input.below(MAX_LENGTH));
    for (FileChannel file : FILES) {
      replace(file, bytes);
    }
    return new ArgumentPair(
        FILES[0], FILES[1], () -> assertThat(bytes(FILES[0])).isEqualTo(bytes(FILES[1])));
  }

  private static FileChannel newFile() {
    try {
      Path path = Files.createTempFile("fuzz", null);
      return FileChannel.open(
          path,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void replace(FileChannel file, byte[] bytes) {
    try {
      file.truncate(0).write(ByteBuffer.wrap(bytes), 0);
      file.position(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(FileChannel file) {
    try {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return Arrays.copyOf(bytes.array(), bytes.position());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
