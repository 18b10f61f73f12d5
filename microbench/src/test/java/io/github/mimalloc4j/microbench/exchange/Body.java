package io.github.mimalloc4j.microbench.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Bytes that are sent and have to come back unchanged, in parts of any size. */
final class Body {

  private static final int TIMEOUT_SECONDS = 60;

  private final ByteBufAllocator allocator;
  private final Loss loss;
  private final byte[] bytes;
  private int sent;
  private int received;
  private boolean direct;
  private final CompletableFuture<Void> whole = new CompletableFuture<>();

  /** Makes one of random letters, which can be compressed and are text. */
  Body(ByteBufAllocator allocator, Loss loss, int size) {
    this.allocator = allocator;
    this.loss = loss;
    bytes = new byte[size];
    Random random = new Random(size);
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(16));
    }
  }

  /** The next part to send, of at most so many bytes. Kinds of buffers alternate. */
  ByteBuf nextPart(int mostBytes) {
    int count = Math.min(mostBytes, bytes.length - sent);
    direct = !direct;
    ByteBuf part = direct ? allocator.directBuffer(count) : allocator.heapBuffer(count);
    part.writeBytes(bytes, sent, count);
    sent += count;
    return part;
  }

  boolean isSent() {
    return sent == bytes.length;
  }

  /**
   * Compares what came next and releases it. By one thread.
   *
   * @return whether all came
   */
  boolean receive(ByteBuf part) {
    byte[] came = new byte[part.readableBytes()];
    part.readBytes(came);
    int end = received + came.length;
    if (came.length > 0 && part.alloc() != allocator) {
      fail("a buffer of another allocator came: " + part);
    } else if (end > bytes.length || !Arrays.equals(came, 0, came.length, bytes, received, end)) {
      fail("what came is not what was sent");
    }
    received = end;
    loss.release(part);
    return received == bytes.length;
  }

  /** Is to be called when nothing more will come. */
  void end() {
    if (received == bytes.length) {
      whole.complete(null);
    } else {
      fail("came: " + received);
    }
  }

  /** Waits until all came, unchanged. */
  void await() throws Exception {
    whole.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private void fail(String why) {
    whole.completeExceptionally(new AssertionError("body of " + bytes.length + " bytes: " + why));
  }
}
