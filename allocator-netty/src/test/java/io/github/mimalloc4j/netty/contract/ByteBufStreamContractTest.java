package io.github.mimalloc4j.netty.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams and channels, which may move fewer bytes than asked for, or none. */
class ByteBufStreamContractTest extends ByteBufContract {
  private static final int CAPACITY = 100;

  @TempDir private Path directory;

  /** A stream that gives at most so many bytes in one read, as sockets do. */
  private static InputStream shortStream(byte[] bytes, int limitPerRead) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        return super.read(target, offset, Math.min(length, limitPerRead));
      }

      @Override
      public synchronized int available() {
        return 0;
      }
    };
  }

  private static final class FailingStream extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("broken");
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      throw new IOException("broken");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 60, 100, 8192, 8193, 70_000})
  void getBytesToAnOutputStream(int length) throws IOException {
    ByteBuf buffer = newFullBuffer(length + 10);
    byte[] content = contentOf(buffer);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(buffer.getBytes(4, out, length)).isSameAs(buffer);
    assertThat(out.toByteArray()).isEqualTo(Arrays.copyOfRange(content, 4, 4 + length));
    assertIndexes(buffer, 0, length + 10);

    out.reset();
    assertThat(buffer.readBytes(out, length)).isSameAs(buffer);
    assertThat(out.toByteArray()).isEqualTo(Arrays.copyOf(content, length));
    assertIndexes(buffer, length, length + 10);
  }

  @Test
  void failingOutputStreamMovesNoIndex() {
    ByteBuf buffer = newFullBuffer(CAPACITY);
    OutputStream failing =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("broken");
          }
        };
    assertRejected(IOException.class, buffer, () -> buffer.getBytes(0, failing, 10));
    assertRejected(IOException.class, buffer, () -> buffer.readBytes(failing, 10));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 60, 100, 8192, 8193, 70_000})
  void bytesFromAnInputStream(int length) throws IOException {
    byte[] bytes = randomBytes(length);
    ByteBuf buffer = newBuffer(length + 10);
    byte[] model = fill(buffer);
    assertThat(buffer.setBytes(5, new ByteArrayInputStream(bytes), length)).isEqualTo(length);
    System.arraycopy(bytes, 0, model, 5, length);
    assertThat(contentOf(buffer)).isEqualTo(model);
    assertIndexes(buffer, 0, 0);

    ByteBuf grown = newBuffer(1);
    assertThat(grown.writeBytes(new ByteArrayInputStream(bytes), length)).isEqualTo(length);
    assertThat(readableBytesOf(grown)).isEqualTo(bytes);
  }

  @Test
  void shortReadTellsHowMuchItWas() throws IOException {
    byte[] bytes = randomBytes(60);
    InputStream in = shortStream(bytes, 7);
    ByteBuf buffer = newBuffer(CAPACITY);
    byte[] model = fill(buffer);
    assertThat(buffer.setBytes(3, in, 50)).isEqualTo(7);
    System.arraycopy(bytes, 0, model, 3, 7);
    assertThat(contentOf(buffer)).isEqualTo(model);
    assertThat(buffer.writeBytes(in, 50)).isEqualTo(7);
    assertIndexes(buffer, 0, 7);
    assertThat(readableBytesOf(buffer)).isEqualTo(Arrays.copyOfRange(bytes, 7, 14));
  }

  @Test
  void lessThanAskedForIsLeftInTheStream() throws IOException {
    ByteBuf buffer = newBuffer(CAPACITY);
    InputStream in = new ByteArrayInputStream(randomBytes(20));
    assertThat(buffer.writeBytes(in, 50)).isEqualTo(20);
    assertIndexes(buffer, 0, 20);
  }

  /** More than one read would lose what the first one got, or wait for more. */
  @Test
  void bytesBeforeAFailureArrive() throws IOException {
    byte[] bytes = randomBytes(81_920); // so that a read ends just before the checksum
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    byte[] zipped = out.toByteArray();
    zipped[zipped.length - 8]++; // the checksum's first byte
    InputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped), zipped.length);
    ByteBuf buffer = newBuffer(3 * bytes.length);
    while (buffer.writerIndex() < bytes.length) {
      assertThat(buffer.writeBytes(in, 2 * bytes.length)).isPositive();
    }
    assertThat(readableBytesOf(buffer)).isEqualTo(bytes);
    assertRejected(ZipException.class, buffer, () -> buffer.writeBytes(in, 2 * bytes.length));
  }

  @Test
  void endOfStream() throws IOException {
    ByteBuf buffer = newFullBuffer(CAPACITY).writerIndex(10);
    byte[] content = contentOf(buffer);
    assertThat(buffer.setBytes(3, InputStream.nullInputStream(), 50)).isEqualTo(-1);
    assertThat(buffer.writeBytes(InputStream.nullInputStream(), 50)).isEqualTo(-1);
    assertIndexes(buffer, 0, 10);
    assertThat(contentOf(buffer)).isEqualTo(content);
  }

  @Test
  void zeroLengthReadsNothing() throws IOException {
    ByteBuf buffer = newFullBuffer(CAPACITY).writerIndex(10);
    InputStream in = new ByteArrayInputStream(randomBytes(20));
    assertThat(buffer.setBytes(3, in, 0)).isZero();
    assertThat(buffer.writeBytes(in, 0)).isZero();
    assertThat(in.available()).isEqualTo(20);
    assertIndexes(buffer, 0, 10);
  }

  @Test
  void failingInputStreamMovesNoIndex() {
    ByteBuf buffer = newFullBuffer(CAPACITY).writerIndex(10);
    InputStream failing = new FailingStream();
    assertRejected(IOException.class, buffer, () -> buffer.setBytes(3, failing, 50));
    assertRejected(IOException.class, buffer, () -> buffer.writeBytes(failing, 50));
  }

  @Test
  void gatheringChannelTakesAll() throws IOException {
    ByteBuf buffer = newFullBuffer(CAPACITY);
    byte[] content = contentOf(buffer);
    ShortChannel out = ShortChannel.writable(CAPACITY);
    assertThat(buffer.getBytes(4, out, 50)).isEqualTo(50);
    assertIndexes(buffer, 0, CAPACITY);
    assertThat(buffer.readBytes(out, 30)).isEqualTo(30);
    assertIndexes(buffer, 30, CAPACITY);
    byte[] expected = Arrays.copyOf(Arrays.copyOfRange(content, 4, 54), 80);
    System.arraycopy(content, 0, expected, 50, 30);
    assertThat(out.written()).isEqualTo(expected);
  }

  /** The reader index must move by what the channel took, not by what it was offered. */
  @Test
  void gatheringChannelTakesAPart() throws IOException {
    ByteBuf buffer = newFullBuffer(CAPACITY);
    byte[] content = contentOf(buffer);
    ShortChannel out = ShortChannel.writable(7);
    assertThat(buffer.getBytes(0, out, 50)).isEqualTo(7);
    for (int i = 1; i <= 3; i++) {
      assertThat(buffer.readBytes(out, 50)).isEqualTo(7);
      assertIndexes(buffer, 7 * i, CAPACITY);
    }
    assertThat(buffer.readBytes(ShortChannel.writable(0), 50)).isZero();
    assertIndexes(buffer, 21, CAPACITY);
    assertThat(Arrays.copyOfRange(out.written(), 7, 28)).isEqualTo(Arrays.copyOf(content, 21));
  }

  @Test
  void scatteringChannelFillsAPart() throws IOException {
    byte[] bytes = randomBytes(40);
    ByteBuf buffer = newBuffer(CAPACITY);
    byte[] model = fill(buffer);
    ShortChannel in = ShortChannel.readable(bytes, 7);
    assertThat(buffer.setBytes(3, in, 50)).isEqualTo(7);
    System.arraycopy(bytes, 0, model, 3, 7);
    assertThat(contentOf(buffer)).isEqualTo(model);
    assertThat(buffer.writeBytes(in, 50)).isEqualTo(7);
    assertThat(buffer.writeBytes(in, 5)).isEqualTo(5);
    assertIndexes(buffer, 0, 12);
    assertThat(readableBytesOf(buffer)).isEqualTo(Arrays.copyOfRange(bytes, 7, 19));
  }

  @Test
  void scatteringChannelAtItsEnd() throws IOException {
    ByteBuf buffer = newFullBuffer(CAPACITY).writerIndex(10);
    ShortChannel in = ShortChannel.readable(new byte[0], 7);
    assertThat(buffer.setBytes(3, in, 50)).isEqualTo(-1);
    assertThat(buffer.writeBytes(in, 50)).isEqualTo(-1);
    assertIndexes(buffer, 0, 10);
  }

  /** A channel that was closed under a read is treated as one at its end. */
  @Test
  void closedScatteringChannel() throws IOException {
    ByteBuf buffer = newFullBuffer(CAPACITY).writerIndex(10);
    ShortChannel in = ShortChannel.readable(randomBytes(20), 7);
    in.close();
    assertThat(buffer.setBytes(3, in, 5)).isEqualTo(-1);
    assertThat(buffer.writeBytes(in, 5)).isEqualTo(-1);
    assertIndexes(buffer, 0, 10);
  }

  @Test
  void writingFromAChannelGrows() throws IOException {
    byte[] bytes = randomBytes(5000);
    ByteBuf buffer = newBuffer(1);
    assertThat(buffer.writeBytes(ShortChannel.readable(bytes, 5000), 5000)).isEqualTo(5000);
    assertThat(readableBytesOf(buffer)).isEqualTo(bytes);
  }

  private FileChannel newFile(byte[] content) throws IOException {
    Path file = directory.resolve("file");
    Files.write(file, content);
    return FileChannel.open(file, CREATE, READ, WRITE);
  }

  private byte[] fileContent() throws IOException {
    return Files.readAllBytes(directory.resolve("file"));
  }

  @Test
  void fileIsReadAtAPosition() throws IOException {
    byte[] bytes = randomBytes(200);
    try (FileChannel file = newFile(bytes)) {
      file.position(11);
      ByteBuf buffer = newBuffer(CAPACITY);
      byte[] model = fill(buffer);
      assertThat(buffer.setBytes(9, file, 60, 70)).isEqualTo(70);
      System.arraycopy(bytes, 60, model, 9, 70);
      assertThat(contentOf(buffer)).isEqualTo(model);
      assertThat(buffer.writeBytes(file, 150, 100)).isEqualTo(50);
      assertIndexes(buffer, 0, 50);
      assertThat(readableBytesOf(buffer)).isEqualTo(Arrays.copyOfRange(bytes, 150, 200));
      assertThat(file.position()).isEqualTo(11);
    }
  }

  @Test
  void fileReadAtOrBeyondItsEnd() throws IOException {
    try (FileChannel file = newFile(randomBytes(20))) {
      ByteBuf buffer = newFullBuffer(CAPACITY).writerIndex(10);
      byte[] content = contentOf(buffer);
      assertThat(buffer.setBytes(0, file, 20, 5)).isEqualTo(-1);
      assertThat(buffer.setBytes(0, file, 1000, 5)).isEqualTo(-1);
      assertThat(buffer.writeBytes(file, 20, 5)).isEqualTo(-1);
      assertIndexes(buffer, 0, 10);
      assertThat(contentOf(buffer)).isEqualTo(content);
    }
  }

  @Test
  void fileIsWrittenAtAPosition() throws IOException {
    byte[] model = Arrays.copyOf(randomBytes(50), 130);
    try (FileChannel file = newFile(Arrays.copyOf(model, 50))) {
      file.position(7);
      ByteBuf buffer = newFullBuffer(CAPACITY);
      byte[] content = contentOf(buffer);
      assertThat(buffer.getBytes(5, file, 30, 60)).isEqualTo(60);
      assertIndexes(buffer, 0, CAPACITY);
      System.arraycopy(content, 5, model, 30, 60);
      assertThat(buffer.readBytes(file, 100, 30)).isEqualTo(30);
      assertIndexes(buffer, 30, CAPACITY);
      System.arraycopy(content, 0, model, 100, 30);
      assertThat(file.position()).isEqualTo(7);
      assertThat(fileContent()).isEqualTo(model);
    }
  }

  @Test
  void fileTransfersOfNothing() throws IOException {
    try (FileChannel file = newFile(randomBytes(20))) {
      ByteBuf buffer = newFullBuffer(CAPACITY).writerIndex(10);
      assertThat(buffer.getBytes(5, file, 0, 0)).isZero();
      assertThat(buffer.setBytes(5, file, 0, 0)).isZero();
      assertThat(buffer.readBytes(file, 0, 0)).isZero();
      assertThat(buffer.writeBytes(file, 0, 0)).isZero();
      assertIndexes(buffer, 0, 10);
    }
  }

  @Test
  void closedFile() throws IOException {
    FileChannel file = newFile(randomBytes(20));
    file.close();
    ByteBuf buffer = newFullBuffer(CAPACITY).writerIndex(10);
    assertThat(buffer.setBytes(0, file, 0, 5)).isEqualTo(-1);
    assertThat(buffer.writeBytes(file, 0, 5)).isEqualTo(-1);
    assertRejected(IOException.class, buffer, () -> buffer.getBytes(0, file, 0, 5));
    assertRejected(IOException.class, buffer, () -> buffer.readBytes(file, 0, 5));
  }

  @Test
  void largeFile() throws IOException {
    byte[] bytes = randomBytes(300_000);
    try (FileChannel file = newFile(new byte[0])) {
      ByteBuf buffer = newBuffer(bytes);
      assertThat(buffer.readBytes(file, 0, 300_000)).isEqualTo(300_000);
      assertThat(fileContent()).isEqualTo(bytes);
      buffer.setZero(0, 300_000).clear();
      assertThat(buffer.writeBytes(file, 0, 300_000)).isEqualTo(300_000);
      assertThat(readableBytesOf(buffer)).isEqualTo(bytes);
    }
  }

  @Test
  void bufferAsAStream() throws IOException {
    ByteBuf buffer = newBuffer(1);
    try (ByteBufOutputStream out = new ByteBufOutputStream(buffer)) {
      out.writeInt(42);
      out.write("abc".getBytes(US_ASCII));
    }
    assertIndexes(buffer, 0, 7);
    try (ByteBufInputStream in = new ByteBufInputStream(buffer)) {
      assertThat(in.readInt()).isEqualTo(42);
      assertThat(in.readAllBytes()).isEqualTo("abc".getBytes(US_ASCII));
    }
    assertIndexes(buffer, 7, 7);
  }
}
