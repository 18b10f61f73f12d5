package io.github.mimalloc4j.netty.fuzzing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.contract.ByteBufContract;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A buffer under test beside the reference, which has had the same calls. */
public final class BufferPair {

  final ByteBuf tested;
  final ByteBuf reference;

  BufferPair(ByteBuf tested, ByteBuf reference) {
    this.tested = tested;
    this.reference = reference;
  }

  /** Fails unless the two look alike. */
  void check() {
    same("capacity", tested.capacity(), reference.capacity());
    same("maxCapacity", tested.maxCapacity(), reference.maxCapacity());
    same("readerIndex", tested.readerIndex(), reference.readerIndex());
    same("writerIndex", tested.writerIndex(), reference.writerIndex());
    same("refCnt", tested.refCnt(), reference.refCnt());
    byte[] content = ByteBufContract.contentOf(tested);
    byte[] expected = ByteBufContract.contentOf(reference);
    int mismatch = Arrays.mismatch(content, expected);
    if (mismatch >= 0) {
      same("byte " + mismatch, content[mismatch], expected[mismatch]);
    }
  }

  /** What the reference cannot answer for the other must agree with its content and indexes. */
  void checkKind() {
    require(tested.alloc() != null, "alloc");
    require(tested.toString().contains("ridx: " + tested.readerIndex()), "toString");
    int fast = tested.maxFastWritableBytes();
    require(fast >= tested.writableBytes(), "fewer fast writable bytes than writable ones");
    require(fast <= tested.maxWritableBytes(), "more fast writable bytes than writable ones");
    require(tested.isDirect() != tested.hasArray(), "isDirect");
    if (tested.hasArray()) {
      ByteBuffer bytes = ByteBuffer.wrap(tested.array(), tested.arrayOffset(), tested.capacity());
      require(bytes.equals(ByteBuffer.wrap(ByteBufContract.contentOf(tested))), "array");
    }
    if (tested.hasMemoryAddress()) {
      require(tested.isDirect() && tested.memoryAddress() > 0, "memoryAddress");
    } else {
      assertThatThrownBy(tested::memoryAddress).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  private static void same(String what, int tested, int reference) {
    if (tested != reference) { // the common case makes no object
      throw new AssertionError(what + ": " + tested + ", but the reference has " + reference);
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
