package io.github.mimalloc4j.netty.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.contract.ByteBufContract;
import io.github.mimalloc4j.netty.support.ByteBufMethods;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A sequence of calls on a buffer and its views, each made on a reference as well and compared:
 * what came out, and what both look like then.
 */
final class ByteBufProgram {

  private static final int MAX_VIEWS = 6;

  private static final List<Class<?>> DOCUMENTED =
      List.of(
          IndexOutOfBoundsException.class,
          IllegalReferenceCountException.class,
          ReadOnlyBufferException.class, // before its superclass
          UnsupportedOperationException.class,
          IllegalArgumentException.class);

  /** How many calls are tried on a buffer that was released. */
  private static final int CALLS_AFTER_RELEASE = 8;

  /** What a call returned, or the kind of what it threw. */
  private record Outcome(Object returned, Class<?> thrown) {}

  private final FuzzInput input;
  private final BufferPair root;

  /** The root and views of it. */
  private final List<BufferPair> known = new ArrayList<>();

  private final ByteBufArguments maker;
  private final Consumer<Method> succeeded;

  /** What was called last, and with what. */
  private Method method;

  private Object[] arguments;

  /**
   * Makes a program for two new buffers, which it releases.
   *
   * @param allocator makes buffers for arguments
   * @param succeeded is told of each method that returned
   */
  ByteBufProgram(
      FuzzInput input,
      ByteBuf tested,
      ByteBuf reference,
      ByteBufAllocator allocator,
      Consumer<Method> succeeded) {
    this.input = input;
    this.root = new BufferPair(tested, reference);
    this.maker = new ByteBufArguments(input, allocator, known);
    this.succeeded = succeeded;
    known.add(root);
    byte[] content = ByteBufArguments.content(0, reference.capacity());
    tested.setBytes(0, content);
    reference.setBytes(0, content);
  }

  void run() {
    try {
      int left = CALLS_AFTER_RELEASE;
      while (input.hasMore() && left > 0) {
        step();
        left -= isReleased() ? 1 : 0;
      }
      if (!isReleased()) {
        root.checkKind();
      }
    } catch (Exception | AssertionError e) {
      throw new AssertionError(describe() + ": " + e.getMessage(), e);
    } finally {
      releaseAll(root.tested);
      releaseAll(root.reference);
    }
  }

  private static void releaseAll(ByteBuf buffer) {
    if (buffer.refCnt() > 0) {
      buffer.release(buffer.refCnt());
    }
  }

  private boolean isReleased() {
    return root.reference.refCnt() == 0;
  }

  private void step() {
    method = input.oneOf(ByteBufMethods.COMPARABLE);
    BufferPair target = input.flag() ? root : input.oneOf(known);
    if (writesThrough(target)) {
      return;
    }
    List<ArgumentPair> pairs = maker.of(method, target.reference);
    arguments = new Object[pairs.size()];
    Object[] forReference = new Object[pairs.size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = pairs.get(i).tested();
      forReference[i] = pairs.get(i).reference();
    }
    boolean wasReleased = isReleased();
    int capacity = root.reference.capacity();
    Outcome actual = call(target.tested, arguments);
    Outcome expected = call(target.reference, forReference);
    if (wasReleased) {
      compareAfterRelease(actual, expected);
    } else {
      if (!isReleased()) {
        followGrowth(capacity, target.reference.writerIndex());
      }
      compare(target, actual, expected);
    }
    for (ArgumentPair pair : pairs) {
      pair.check().run();
    }
  }

  private String describe() {
    return "after "
        + (method == null ? "nothing" : ByteBufMethods.signature(method))
        + Arrays.toString(arguments)
        + ", "
        + root.tested;
  }

  private Outcome call(ByteBuf buffer, Object[] arguments) {
    try {
      return new Outcome(method.invoke(buffer, arguments), null);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      return new Outcome(null, kind(e.getCause()));
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** The documented type; which subclass of it is thrown, nobody may rely on. */
  private static Class<?> kind(Throwable thrown) {
    for (Class<?> documented : DOCUMENTED) {
      if (documented.isInstance(thrown)) {
        return documented;
      }
    }
    return thrown.getClass();
  }

  /** Who throws, and when, differs among Netty's own buffers, above all if no byte is asked for. */
  private void compareAfterRelease(Outcome actual, Outcome expected) {
    boolean asksForNothing = Arrays.asList(arguments).contains(0);
    if (expected.thrown == IllegalReferenceCountException.class && !asksForNothing) {
      assertThat(actual.thrown).as("after the release").isEqualTo(expected.thrown);
    }
  }

  /** Netty writes text to the address that a read-only view of a direct buffer has. */
  private boolean writesThrough(BufferPair target) {
    return target.tested.isReadOnly()
        && target.tested.hasMemoryAddress()
        && method.getName().endsWith("CharSequence");
  }

  /**
   * How far a buffer grows to take what is written is its own choice, and so is what the new bytes
   * hold: the reference follows.
   */
  private void followGrowth(int before, int writerIndex) {
    int tested = root.tested.capacity();
    int reference = root.reference.capacity();
    if (tested < before) {
      known.subList(1, known.size()).clear(); // some views may have lost their bytes
    } else if (tested > before && reference > before) {
      if (!method.getName().equals("capacity")) {
        root.reference.capacity(tested);
      }
      int from = Math.max(before, writerIndex);
      if (from < tested && root.reference.capacity() == tested) {
        byte[] unwritten = ByteBufContract.bytesOf(root.tested, from, tested - from);
        root.reference.setBytes(from, unwritten);
      }
    }
  }

  private void compare(BufferPair target, Outcome actual, Outcome expected) {
    if (actual.thrown != expected.thrown && !mayRefuseOtherwise(actual, expected)) {
      assertThat(actual.thrown).as("thrown").isEqualTo(expected.thrown);
    }
    if (actual.thrown == null) {
      succeeded.accept(method);
      compareReturned(target, actual.returned, expected.returned);
    }
    if (isReleased()) {
      assertThat(root.tested.refCnt()).as("refCnt").isZero();
    } else {
      root.check();
      if (target != root && known.contains(target)) {
        target.check();
      }
    }
  }

  /**
   * Of Netty's own buffers some check their bounds, as ours do. The reference leaves that to NIO,
   * which throws what it throws, and takes a length of -1 for none.
   */
  private boolean mayRefuseOtherwise(Outcome actual, Outcome expected) {
    boolean otherwise =
        expected.thrown == IllegalArgumentException.class
            || expected.thrown == ReadOnlyBufferException.class
            || expected.thrown == null && Arrays.asList(arguments).contains(-1);
    return otherwise
        && actual.thrown == IndexOutOfBoundsException.class
        && Arrays.stream(method.getParameterTypes())
            .anyMatch(type -> type.getPackageName().startsWith("java.nio"));
  }

  private void compareReturned(BufferPair target, Object actual, Object expected) {
    if (expected instanceof ByteBuf reference) {
      assertThat(actual).isInstanceOf(ByteBuf.class);
      compareBuffers(target, new BufferPair((ByteBuf) actual, reference));
    } else if (expected instanceof ByteBuffer reference) {
      compareViews((ByteBuffer) actual, reference);
    } else if (expected instanceof ByteBuffer[] references) {
      ByteBuffer[] views = (ByteBuffer[]) actual;
      assertThat(views).hasSameSizeAs(references);
      for (int i = 0; i < references.length; i++) {
        compareViews(views[i], references[i]);
      }
    } else {
      assertThat(actual).as("returned").isEqualTo(expected);
    }
  }

  private void compareBuffers(BufferPair target, BufferPair returned) {
    for (BufferPair pair : known) {
      if ((returned.tested == pair.tested) != (returned.reference == pair.reference)) {
        throw new AssertionError("only one of the two returned a buffer that was there already");
      }
      if (returned.reference == pair.reference) {
        return;
      }
    }
    returned.check();
    if (isNew()) {
      returned.tested.release();
      returned.reference.release();
    } else if (known.size() <= MAX_VIEWS && known.contains(target)) {
      known.add(returned);
    }
  }

  private boolean isNew() {
    return method.getName().equals("copy")
        || ByteBufMethods.signature(method).equals("readBytes(int)");
  }

  /** Also writes through them: what they share shows in the buffers. */
  private void compareViews(ByteBuffer actual, ByteBuffer expected) {
    assertThat(actual.order()).isEqualTo(expected.order());
    assertThat(actual.isReadOnly()).isEqualTo(expected.isReadOnly());
    assertThat(actual.position()).as("position").isEqualTo(expected.position());
    assertThat(actual).isEqualTo(expected);
    if (expected.hasRemaining() && !expected.isReadOnly()) {
      int index = expected.position() + input.below(expected.remaining());
      byte value = (byte) input.oneByte();
      actual.put(index, value);
      expected.put(index, value);
    }
  }
}
