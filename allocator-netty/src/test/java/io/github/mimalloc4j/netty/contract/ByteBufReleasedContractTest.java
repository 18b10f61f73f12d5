package io.github.mimalloc4j.netty.contract;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.mimalloc4j.netty.support.BufferKind;
import io.github.mimalloc4j.netty.support.Primitive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.ByteProcessor;
import io.netty.util.IllegalReferenceCountException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A released buffer gives access to nothing. The methods come from reflection, so that one which
 * Netty adds later is tested without anybody thinking of it.
 */
class ByteBufReleasedContractTest extends ByteBufContract {
  /**
   * Methods that look at no memory: any answer will do, and in Netty's kinds the answers differ.
   */
  private static final Set<String> NEED_NO_MEMORY =
      Set.of(
          "alloc",
          "asByteBuf",
          "asReadOnly",
          "capacity()",
          "clear",
          "hasArray",
          "hasMemoryAddress",
          "isContiguous",
          "isDirect",
          "isReadOnly",
          "isReadable",
          "isWritable",
          "markReaderIndex",
          "markWriterIndex",
          "maxCapacity",
          "maxFastWritableBytes",
          "maxWritableBytes",
          "nioBufferCount",
          "order",
          "readableBytes",
          "readerIndex",
          "refCnt",
          "resetReaderIndex",
          "resetWriterIndex",
          "setIndex",
          "toString()",
          "touch",
          "unwrap",
          "writableBytes",
          "writerIndex");

  /** Methods of a kind of memory that the buffer may not have. */
  private static final Set<String> OPTIONAL = Set.of("array", "arrayOffset", "memoryAddress");

  private static final Map<Class<?>, Supplier<Object>> ARGUMENTS =
      Map.ofEntries(
          entry(int.class, () -> 1),
          entry(long.class, () -> 1L),
          entry(byte.class, () -> (byte) 1),
          entry(boolean.class, () -> true),
          entry(float.class, () -> 1f),
          entry(double.class, () -> 1d),
          entry(byte[].class, () -> new byte[4]),
          entry(Object.class, Object::new),
          entry(CharSequence.class, () -> "ab"),
          entry(ByteBuf.class, () -> Unpooled.wrappedBuffer(new byte[8]).setIndex(2, 4)),
          entry(ByteBuffer.class, () -> ByteBuffer.allocate(4)),
          entry(InputStream.class, () -> new ByteArrayInputStream(new byte[4])),
          entry(OutputStream.class, ByteArrayOutputStream::new),
          entry(GatheringByteChannel.class, () -> ShortChannel.writable(4)),
          entry(ScatteringByteChannel.class, () -> ShortChannel.readable(new byte[4], 4)),
          entry(Charset.class, () -> StandardCharsets.UTF_8),
          entry(ByteOrder.class, () -> ByteOrder.LITTLE_ENDIAN),
          entry(ByteProcessor.class, () -> (ByteProcessor) value -> true));

  @TempDir private static Path directory;

  private static Stream<Method> methodsOfByteBuf() {
    return Arrays.stream(ByteBuf.class.getMethods())
        .filter(method -> !method.isBridge() && !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getDeclaringClass() != Object.class)
        // With the arguments below these two have no reason to look at the memory.
        .filter(method -> !Set.of("equals", "indexOf").contains(method.getName()))
        .sorted(Comparator.comparing(ByteBufReleasedContractTest::signature));
  }

  private static boolean isIn(Set<String> names, Method method) {
    return names.contains(method.getName()) || names.contains(signature(method));
  }

  private static String signature(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .toList()
            .toString()
            .replace('[', '(')
            .replace(']', ')');
  }

  /** Calls the method with arguments that a live buffer of some size accepts. */
  private static Object call(Method method, ByteBuf buffer) throws Throwable {
    if (List.of(method.getParameterTypes()).contains(FileChannel.class)) {
      Path file = directory.resolve("file");
      try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE)) {
        return call(method, buffer, type -> type == FileChannel.class ? channel : argument(type));
      }
    }
    return call(method, buffer, ByteBufReleasedContractTest::argument);
  }

  private static Object call(Method method, ByteBuf buffer, Function<Class<?>, Object> argument)
      throws Throwable {
    try {
      return method.invoke(
          buffer, Arrays.stream(method.getParameterTypes()).map(argument).toArray());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Object argument(Class<?> type) {
    return ARGUMENTS.get(type).get();
  }

  private ByteBuf newSubject() {
    return newBuffer(64, 64).writerIndex(24);
  }

  /** An unpooled heap buffer loses its array on release, so that every index is out of bounds. */
  private boolean losesItsCapacity() {
    return kind == BufferKind.NETTY_UNPOOLED_HEAP;
  }

  @Test
  void accessAfterReleaseIsRefused() {
    List<String> complaints =
        methodsOfByteBuf()
            .filter(method -> !isIn(NEED_NO_MEMORY, method) && !isIn(OPTIONAL, method))
            .filter(method -> !(method.getName().equals("bytesBefore") && losesItsCapacity()))
            .map(this::complaintAboutAccess)
            .filter(complaint -> !complaint.isEmpty())
            .toList();
    assertThat(complaints).isEmpty();
  }

  private String complaintAboutAccess(Method method) {
    ByteBuf live = newSubject().retain();
    // Proves that the arguments are legal, so that the refusal below is for the release.
    Throwable failure = catchThrowable(() -> releaseCopy(method, call(method, live)));
    live.release(live.refCnt());

    ByteBuf released = newSubject();
    released.release();
    Throwable refusal = catchThrowable(() -> call(method, released));
    boolean unchanged =
        released.refCnt() == 0 && released.readerIndex() == 0 && released.writerIndex() == 24;
    return failure == null && refusal instanceof IllegalReferenceCountException && unchanged
        ? ""
        : signature(method) + ": live " + failure + ", released " + refusal + ", " + released;
  }

  private static void releaseCopy(Method method, Object result) {
    if (method.getName().equals("copy")) {
      ((ByteBuf) result).release();
    }
  }

  @Test
  void stateIsAnsweredOrRefusedButNeverBroken() {
    List<String> complaints =
        methodsOfByteBuf()
            .filter(method -> isIn(NEED_NO_MEMORY, method) || isIn(OPTIONAL, method))
            .map(this::complaintAboutState)
            .filter(complaint -> !complaint.isEmpty())
            .toList();
    assertThat(complaints).isEmpty();
  }

  private String complaintAboutState(Method method) {
    ByteBuf buffer = newSubject();
    Throwable failure = catchThrowable(() -> call(method, buffer));
    buffer.release();
    Throwable refusal = catchThrowable(() -> call(method, buffer));
    boolean worksLive = failure == null || isIn(OPTIONAL, method);
    boolean harmless =
        refusal == null
            || refusal instanceof IllegalReferenceCountException
            || refusal instanceof IndexOutOfBoundsException
            || refusal instanceof UnsupportedOperationException;
    return worksLive && harmless && buffer.refCnt() == 0
        ? ""
        : signature(method) + ": live " + failure + ", released " + refusal + ", " + buffer;
  }

  @Test
  void memoryOfAReleasedBufferIsNotGivenAway() {
    ByteBuf buffer = newSubject();
    boolean hasArray = buffer.hasArray();
    boolean hasMemoryAddress = buffer.hasMemoryAddress();
    buffer.release();
    if (hasArray) {
      assertThatThrownBy(buffer::array).isInstanceOf(IllegalReferenceCountException.class);
    }
    if (hasMemoryAddress) {
      assertThatThrownBy(buffer::memoryAddress).isInstanceOf(IllegalReferenceCountException.class);
    }
  }

  @Test
  void workingWithAReleasedBufferIsRefused() {
    ByteBuf live = newSubject();
    ByteBuf released = newSubject();
    released.release();
    Class<? extends Throwable> refusal = IllegalReferenceCountException.class;
    assertThatThrownBy(() -> released.equals(live)).isInstanceOf(refusal);
    assertThatThrownBy(() -> live.equals(released)).isInstanceOf(refusal);
    assertThatThrownBy(() -> live.compareTo(released)).isInstanceOf(refusal);
    assertThatThrownBy(() -> ByteBufUtil.hexDump(released)).isInstanceOf(refusal);
    if (!losesItsCapacity()) {
      assertThatThrownBy(() -> released.indexOf(0, 8, (byte) 1)).isInstanceOf(refusal);
    }
  }

  @Test
  void transferWithAReleasedBufferIsRefused() {
    if (losesItsCapacity()) {
      return;
    }
    ByteBuf released = newSubject();
    ByteBuf heap = releaseLater(kind.allocator().heapBuffer(64));
    ByteBuf direct = releaseLater(kind.allocator().directBuffer(64));
    List<ByteBuf> partners = List.of(newSubject(), heap, direct, Unpooled.buffer(64));
    // The last to happen before its use: an allocation would give out the same object again.
    released.release();
    Class<? extends Throwable> refusal = IllegalReferenceCountException.class;
    for (ByteBuf live : partners) {
      fill(live);
      assertRejected(refusal, live, () -> live.setBytes(0, released, 0, 8));
      assertRejected(refusal, live, () -> live.writeBytes(released, 0, 8));
      assertRejected(refusal, live, () -> live.getBytes(0, released, 0, 8));
      assertRejected(refusal, live, () -> released.setBytes(0, live, 0, 8));
      assertRejected(refusal, live, () -> released.getBytes(0, live, 0, 8));
    }
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  @SuppressWarnings("deprecation")
  void viewsOfAReleasedBufferAreRefusedToo(Primitive primitive) {
    ByteBuf buffer = newSubject();
    ByteBuf[] views = {
      buffer.slice(),
      buffer.duplicate(),
      buffer.slice(4, 16).slice(2, 10),
      buffer.order(ByteOrder.LITTLE_ENDIAN),
      buffer.asReadOnly()
    };
    buffer.release();
    for (ByteBuf view : views) {
      assertThat(view.refCnt()).isZero();
      assertThatThrownBy(() -> primitive.getter.get(view, 0))
          .isInstanceOf(IllegalReferenceCountException.class);
      assertThatThrownBy(() -> primitive.reader.read(view))
          .isInstanceOf(IllegalReferenceCountException.class);
    }
  }
}
