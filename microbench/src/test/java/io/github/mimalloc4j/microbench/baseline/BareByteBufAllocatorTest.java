package io.github.mimalloc4j.microbench.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BareByteBufAllocatorTest {
  private final BareByteBufAllocator allocator = new BareByteBufAllocator();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 255, 256, 257, 65537, BareStacks.LARGEST})
  void lastReleasedIsHandedOutNext(int size) {
    ByteBuf first = allocator.directBuffer(size);
    first.setByte(size - 1, 7).writerIndex(size).readerIndex(1).markReaderIndex();
    assertThat(first.release()).isTrue();

    ByteBuf second = allocator.directBuffer(size);
    assertThat(unwatched(second)).isSameAs(unwatched(first));
    assertThat(second.capacity()).isEqualTo(size);
    assertThat(second.readerIndex() + second.writerIndex()).isZero();
    assertThat(second.resetReaderIndex().readerIndex()).isZero();
    assertThat(second.refCnt()).isOne();
    second.release();
  }

  @Test
  void whatIsLiveIsNotHandedOutAgain() {
    ByteBuf one = allocator.heapBuffer(64).setZero(0, 64);
    ByteBuf other = allocator.heapBuffer(64).setZero(0, 64);
    other.setBytes(0, new byte[] {1, 2, 3});

    assertThat(other).isNotSameAs(one);
    assertThat(one.getMedium(0)).isZero();
    one.release();
    other.release();
  }

  @Test
  void buffersReleasedElsewhereComeBack() throws Exception {
    ByteBuf[] buffers = new ByteBuf[64];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = allocator.directBuffer(4096);
    }
    long used = allocator.metric().usedDirectMemory();
    Thread releaser = new Thread(() -> releaseAll(buffers));
    releaser.start();
    releaser.join();

    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = allocator.directBuffer(4096);
    }
    Set<ByteBuf> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    Collections.addAll(distinct, buffers);
    assertThat(distinct).hasSize(buffers.length);
    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(used);
    releaseAll(buffers);
  }

  @Test
  void buffersOfAnEndedEventLoopGoToTheNext() throws Exception {
    ByteBuf[] live = new ByteBuf[1];
    onEventLoop(() -> live[0] = allocator.directBuffer(1 << 20));
    live[0].release();
    ByteBuf[] next = new ByteBuf[1];
    onEventLoop(() -> next[0] = allocator.directBuffer(1 << 20));

    assertThat(unwatched(next[0])).isSameAs(unwatched(live[0]));
    next[0].release();
  }

  @Test
  void largestAreNotKept() {
    ByteBuf buffer = allocator.heapBuffer(BareStacks.LARGEST + 1);
    assertThat(allocator.metric().usedHeapMemory()).isEqualTo(BareStacks.LARGEST + 1);
    assertThat(buffer.release()).isTrue();
    assertThat(allocator.metric().usedHeapMemory()).isZero();
  }

  @Test
  void referencesAreCounted() {
    ByteBuf buffer = allocator.directBuffer(8);
    assertThat(buffer.retain().retain(2).refCnt()).isEqualTo(4);
    assertThat(buffer.release(3)).isFalse();
    assertThat(buffer.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();

    assertThatThrownBy(buffer::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(buffer::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> buffer.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  void contentSurvivesGrowth() {
    ByteBuf buffer = allocator.directBuffer(4, 1000);
    for (int i = 0; i < 250; i++) {
      buffer.writeInt(i);
    }
    for (int i = 0; i < 250; i++) {
      assertThat(buffer.readInt()).isEqualTo(i);
    }
    assertThatThrownBy(() -> buffer.writeByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(buffer.capacity(10).writerIndex()).isEqualTo(10);
    assertThat(buffer.release()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void contentIsThatOfNettysOwnBuffer(boolean direct) throws Exception {
    ByteBuf ours = direct ? allocator.directBuffer(256) : allocator.heapBuffer(256);
    ByteBuf reference = Unpooled.buffer(256, Integer.MAX_VALUE);
    byte[] random = new byte[256];
    new Random(1).nextBytes(random);
    for (ByteBuf each : new ByteBuf[] {ours, reference}) {
      each.setBytes(0, random);
      each.setShort(3, 0x1234).setShortLE(9, 0x1234).setMedium(17, 0x123456);
      each.setMediumLE(21, 0x123456).setInt(33, 0x12345678).setIntLE(41, 0x12345678);
      each.setLong(51, 0x123456789ABCDEFL).setLongLE(61, 0x123456789ABCDEFL);
      each.setBytes(80, ByteBuffer.wrap(random, 8, 16));
      each.setBytes(100, Unpooled.wrappedBuffer(random), 5, 20);
      each.setBytes(130, new ByteArrayInputStream(random), 10);
      each.writerIndex(200);
    }

    assertThat(ByteBufUtil.equals(ours, reference)).isTrue();
    assertThat(ours.getUnsignedMedium(17)).isEqualTo(0x123456);
    assertThat(ours.getUnsignedMediumLE(21)).isEqualTo(0x123456);
    assertThat(ours.getLongLE(61)).isEqualTo(0x123456789ABCDEFL);
    assertThat(ours.getIntLE(41)).isEqualTo(0x12345678);
    assertThat(ours.nioBuffer()).isEqualTo(reference.nioBuffer());
    assertThat(ours.internalNioBuffer(3, 4)).isEqualTo(reference.nioBuffer(3, 4));
    assertThat(ours.hasArray()).isEqualTo(!direct);
    assertThat(ByteBufUtil.getBytes(ours)).isEqualTo(ByteBufUtil.getBytes(reference));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ours.getBytes(0, out, 200);
    assertThat(out.toByteArray()).isEqualTo(ByteBufUtil.getBytes(reference));
    ByteBuf copy = ours.copy();
    assertThat(copy).isEqualTo(reference);
    ByteBuf target = Unpooled.buffer(200);
    ours.getBytes(0, target);
    assertThat(target).isEqualTo(reference);
    copy.release();
    ours.release();
  }

  private static void onEventLoop(Runnable task) throws Exception {
    DefaultEventExecutor executor = new DefaultEventExecutor();
    executor.submit(task).get();
    executor.shutdownGracefully(0, 0, TimeUnit.SECONDS).get();
  }

  private static void releaseAll(ByteBuf[] buffers) {
    for (ByteBuf buffer : buffers) {
      assertThat(buffer.release()).isTrue();
    }
  }

  /** The buffer without the wrapper of the leak detector, which watches one in 128. */
  private static ByteBuf unwatched(ByteBuf buffer) {
    ByteBuf inner = buffer.unwrap();
    return inner == null ? buffer : inner;
  }
}
