package io.github.mimalloc4j.transporttests;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.stream.ChunkedNioFile;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that the server sends. In the clear the system copies them into the socket, and only what
 * arrives is in buffers; through TLS they are read into buffers first.
 */
class FileRegionTest extends TransportTest {

  private static final int[] SIZES = {1, 8192, 65_537, 5_000_011};
  private static final int CHUNK_BYTES = 10_000;

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("connections")
  void aFileArrivesBetweenBuffers(Transport transport, Tls tls) throws Exception {
    connect(transport, tls);
    for (int size : SIZES) {
      Body body = new Body(size);
      Path file = Files.write(folder.resolve("file"), body.bytes());
      long allocationsBefore = server().directAllocations() + server().heapAllocations();
      for (Body.Kind kind : Body.Kind.values()) {
        server().channel().write(body.buffer(server().allocator(), kind));
        if (tls == Tls.NONE) {
          sendRegion(file, size);
        } else {
          sendChunks(file);
        }
        List<ByteBuf> came = client().take(2 * size);
        assertThat(client().liveBytes()).isGreaterThanOrEqualTo(2L * size);
        assertSame(came, twice(body.bytes()));
      }
      if (tls != Tls.NONE) {
        assertThat(server().directAllocations() + server().heapAllocations() - allocationsBefore)
            .isGreaterThan(3L * size / CHUNK_BYTES);
      }
    }
  }

  private void sendRegion(Path file, int size) throws Exception {
    DefaultFileRegion region = new DefaultFileRegion(file.toFile(), 0, size);
    server().channel().writeAndFlush(region).sync();
    assertThat(region.refCnt()).isZero();
  }

  private void sendChunks(Path file) throws Exception {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
      server().channel().writeAndFlush(new ChunkedNioFile(opened.getChannel(), CHUNK_BYTES)).sync();
    }
  }

  private static byte[] twice(byte[] bytes) {
    byte[] all = new byte[2 * bytes.length];
    System.arraycopy(bytes, 0, all, 0, bytes.length);
    System.arraycopy(bytes, 0, all, bytes.length, bytes.length);
    return all;
  }
}
