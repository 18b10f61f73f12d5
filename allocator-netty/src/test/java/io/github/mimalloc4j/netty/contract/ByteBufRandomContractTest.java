package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.support.Primitive;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long random programs over several buffers at a time, each followed by a model. */
class ByteBufRandomContractTest extends ByteBufContract {
  private static final int BUFFERS = 12;

  /** A buffer beside what it must look like. */
  private static final class Modelled {
    final ByteBuf buffer;
    final int maxCapacity;
    byte[] bytes;
    int reader;
    int writer;
    int references = 1;

    Modelled(ByteBuf buffer) {
      this.buffer = buffer;
      this.maxCapacity = buffer.maxCapacity();
      this.bytes = fill(buffer);
    }

    void check() {
      assertThat(buffer.capacity()).isEqualTo(bytes.length);
      assertThat(buffer.maxCapacity()).isEqualTo(maxCapacity);
      assertThat(buffer.refCnt()).isEqualTo(references);
      assertIndexes(buffer, reader, writer);
      assertThat(contentOf(buffer)).isEqualTo(bytes);
    }
  }

  private Random random;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void buffersFollowTheirModels(long seed) {
    run(seed, 1500);
  }

  /** Each access is recorded with its stack, hence the fewer steps. */
  @ParameterizedTest
  @ValueSource(longs = {6, 7})
  void leakAwareBuffersFollowTheirModels(long seed) {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    run(seed, 200);
  }

  private void run(long seed, int steps) {
    random = new Random(seed);
    List<Modelled> all = new ArrayList<>();
    for (int i = 0; i < BUFFERS; i++) {
      all.add(newModelled());
    }
    for (int step = 0; step < steps; step++) {
      int i = random.nextInt(BUFFERS);
      perform(all.get(i));
      if (all.get(i).references == 0) {
        all.set(i, newModelled());
      }
      all.get(random.nextInt(BUFFERS)).check();
    }
    for (Modelled modelled : all) {
      modelled.check();
      modelled.buffer.release(modelled.references);
    }
  }

  private Modelled newModelled() {
    int capacity = randomSize();
    return new Modelled(newBuffer(capacity, 2 * capacity + random.nextInt(500)));
  }

  /** Mostly small, as buffers are; sometimes of several pages. */
  private int randomSize() {
    return 1 + random.nextInt(1 << (3 + random.nextInt(14)));
  }

  private void perform(Modelled modelled) {
    switch (random.nextInt(12)) {
      case 0, 1 -> setPrimitive(modelled);
      case 2, 3 -> writePrimitive(modelled);
      case 4, 5 -> readPrimitive(modelled);
      case 6 -> resize(modelled);
      case 7 -> moveIndexes(modelled);
      case 8 -> setBytes(modelled);
      case 9 -> discard(modelled);
      case 10 -> reference(modelled);
      default -> viewAndCopy(modelled);
    }
  }

  private Primitive randomPrimitive() {
    Primitive[] all = Primitive.values();
    return all[random.nextInt(all.length)];
  }

  private void setPrimitive(Modelled modelled) {
    Primitive primitive = randomPrimitive();
    long value = random.nextLong();
    int index = random.nextInt(modelled.bytes.length + 1);
    if (index + primitive.width > modelled.bytes.length) {
      assertThatThrownBy(() -> primitive.setter.set(modelled.buffer, index, value))
          .isInstanceOf(IndexOutOfBoundsException.class);
      return;
    }
    primitive.setter.set(modelled.buffer, index, value);
    primitive.encode(modelled.bytes, index, primitive.order(), value);
    assertThat(primitive.getter.get(modelled.buffer, index))
        .isEqualTo(primitive.decode(modelled.bytes, index, primitive.order()));
  }

  private void writePrimitive(Modelled modelled) {
    Primitive primitive = randomPrimitive();
    long value = random.nextLong();
    if (modelled.writer + primitive.width > modelled.maxCapacity) {
      assertThatThrownBy(() -> primitive.writer.write(modelled.buffer, value))
          .isInstanceOf(IndexOutOfBoundsException.class);
      return;
    }
    primitive.writer.write(modelled.buffer, value);
    adoptGrowth(modelled);
    primitive.encode(modelled.bytes, modelled.writer, primitive.order(), value);
    modelled.writer += primitive.width;
  }

  /** How far a buffer grows, and what the new bytes hold, is its own choice. */
  private static void adoptGrowth(Modelled modelled) {
    int before = modelled.bytes.length;
    int now = modelled.buffer.capacity();
    assertThat(now).isBetween(before, modelled.maxCapacity);
    if (now > before) {
      modelled.bytes = Arrays.copyOf(modelled.bytes, now);
      modelled.buffer.getBytes(before, modelled.bytes, before, now - before);
    }
  }

  private void readPrimitive(Modelled modelled) {
    Primitive primitive = randomPrimitive();
    if (modelled.reader + primitive.width > modelled.writer) {
      assertThatThrownBy(() -> primitive.reader.read(modelled.buffer))
          .isInstanceOf(IndexOutOfBoundsException.class);
      return;
    }
    assertThat(primitive.reader.read(modelled.buffer))
        .isEqualTo(primitive.decode(modelled.bytes, modelled.reader, primitive.order()));
    modelled.reader += primitive.width;
  }

  private void resize(Modelled modelled) {
    int capacity = Math.min(randomSize(), modelled.maxCapacity);
    int before = modelled.bytes.length;
    modelled.buffer.capacity(capacity);
    if (capacity > before) {
      adoptGrowth(modelled);
    }
    modelled.bytes = Arrays.copyOf(modelled.bytes, capacity);
    modelled.writer = Math.min(modelled.writer, capacity);
    modelled.reader = Math.min(modelled.reader, capacity);
  }

  private void moveIndexes(Modelled modelled) {
    modelled.writer = random.nextInt(modelled.bytes.length + 1);
    modelled.reader = random.nextInt(modelled.writer + 1);
    modelled.buffer.setIndex(modelled.reader, modelled.writer);
  }

  private void setBytes(Modelled modelled) {
    int index = random.nextInt(modelled.bytes.length);
    int length = random.nextInt(modelled.bytes.length - index + 1);
    if (random.nextBoolean()) {
      modelled.buffer.setZero(index, length);
      Arrays.fill(modelled.bytes, index, index + length, (byte) 0);
    } else {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      modelled.buffer.setBytes(index, bytes);
      System.arraycopy(bytes, 0, modelled.bytes, index, length);
    }
  }

  private static void discard(Modelled modelled) {
    int length = modelled.writer - modelled.reader;
    System.arraycopy(modelled.bytes, modelled.reader, modelled.bytes, 0, length);
    modelled.buffer.discardReadBytes();
    modelled.reader = 0;
    modelled.writer = length;
  }

  private void reference(Modelled modelled) {
    if (random.nextBoolean()) {
      modelled.buffer.retain();
      modelled.references++;
    } else {
      modelled.references--;
      assertThat(modelled.buffer.release()).isEqualTo(modelled.references == 0);
    }
  }

  private void viewAndCopy(Modelled modelled) {
    int index = random.nextInt(modelled.bytes.length);
    int length = random.nextInt(modelled.bytes.length - index + 1);
    byte[] expected = Arrays.copyOfRange(modelled.bytes, index, index + length);
    ByteBuf view = modelled.buffer.retainedSlice(index, length);
    assertThat(contentOf(view)).isEqualTo(expected);
    view.release();
    byte[] nio = new byte[length];
    modelled.buffer.nioBuffer(index, length).get(nio);
    assertThat(nio).isEqualTo(expected);
    ByteBuf copy = modelled.buffer.copy(index, length);
    assertThat(contentOf(copy)).isEqualTo(expected);
    copy.release();
  }
}
