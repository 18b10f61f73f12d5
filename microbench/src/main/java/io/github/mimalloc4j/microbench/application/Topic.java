package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * The last messages of a topic, which have offsets in a row. Any thread publishes and fetches.
 *
 * <p>A kept message is a slice of the buffer in which it came, which lives until all messages in it
 * are dropped and have been sent.
 */
final class Topic {
  private final int maxMessages;
  private final int maxBytes;
  private final ByteBuf[] ring;
  private long first;
  private int count;
  private int bytes;
  private boolean closed;

  /**
   * Makes an empty one.
   *
   * @param maxMessages that are kept
   * @param maxBytes of them together
   */
  Topic(int maxMessages, int maxBytes) {
    this.maxMessages = maxMessages;
    this.maxBytes = maxBytes;
    ring = new ByteBuf[maxMessages];
  }

  /** Messages in a row; whoever got them releases them. */
  record Batch(long firstOffset, List<ByteBuf> messages, int bytes) {}

  /**
   * Keeps a message, which is the topic's to release from now on.
   *
   * @return its offset
   */
  synchronized long publish(ByteBuf message) {
    long offset = first + count;
    if (closed) {
      message.release();
      return offset;
    }
    int length = message.readableBytes();
    while (count == maxMessages || count > 0 && bytes + length > maxBytes) {
      dropFirst();
    }
    ring[index(offset)] = message;
    count++;
    bytes += length;
    return offset;
  }

  private void dropFirst() {
    ByteBuf message = ring[index(first)];
    bytes -= message.readableBytes();
    message.release();
    first++;
    count--;
  }

  private int index(long offset) {
    return (int) (offset % maxMessages);
  }

  /**
   * Gets messages from an offset on, or from the first that is kept.
   *
   * @param mostMessages at most so many
   * @param mostBytes at most so many, but one message in any case
   */
  synchronized Batch fetch(long from, int mostMessages, int mostBytes) {
    long start = Math.max(first, Math.min(from, first + count));
    List<ByteBuf> messages = new ArrayList<>();
    int sum = 0;
    for (long offset = start; offset < first + count; offset++) {
      ByteBuf message = ring[index(offset)];
      int length = message.readableBytes();
      if (messages.size() == mostMessages || !messages.isEmpty() && sum + length > mostBytes) {
        break;
      }
      messages.add(message.retainedDuplicate());
      sum += length;
    }
    return new Batch(start, messages, sum);
  }

  /** Drops all, and keeps nothing from now on. */
  synchronized void close() {
    while (count > 0) {
      dropFirst();
    }
    closed = true;
  }
}
