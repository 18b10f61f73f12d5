package io.github.mimalloc4j.activationtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.activation.UnexpectedClassException;
import io.github.mimalloc4j.activation.VertxPatch;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which classes of Vert.x are changed, and which are left alone. */
class VertxPatchTest {

  private static final String USER = "io.vertx.core.buffer.impl.PartialPooledByteBufAllocator";
  private static final String SSL = "io.vertx.core.net.impl.SSLHelper";
  private static final String HANDLER = "io.vertx.core.net.impl.VertxHandler";

  @Test
  void handlerIsChangedOnce() throws Exception {
    byte[] original = original(VertxPatch.HANDLER);
    byte[] patched = VertxPatch.handler(original);
    assertThat(patched).isNotEqualTo(original);
    assertThat(VertxPatch.handler(patched)).isSameAs(patched);
  }

  @Test
  void allocatorUsersAreChangedOnce() throws Exception {
    for (String name : VertxPatch.ALLOCATOR_USERS.subList(0, 2)) { // the third is Quarkus's
      byte[] original = original(name);
      byte[] patched = VertxPatch.allocatorUser(original);
      assertThat(patched).isNotEqualTo(original);
      assertThat(VertxPatch.allocatorUser(patched)).isSameAs(patched);
    }
  }

  /** As Vert.x 4, 5.0 and 5.1 do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "boolean pooled(ByteBuf b) { return b.alloc() instanceof PooledByteBufAllocator; }",
        "boolean pooled(ByteBuf b) { Class<?> c; return (c = b.alloc().getClass())"
            + " == AdaptiveByteBufAllocator.class || c == PooledByteBufAllocator.class; }",
        "boolean pooled(ByteBuf b) { return b.alloc().getClass() == PooledByteBufAllocator.class; }"
            + " ByteBuf other(ByteBuf b) { return b.alloc().buffer(); }"
      })
  void ourBuffersAreKnownAsPooled(String members) throws Exception {
    CompiledClass original = CompiledClass.of(HANDLER, "static " + members);
    Class<?> patched = original.initialized(VertxPatch.handler(original.file()));
    ByteBuf ours = MiMallocByteBufAllocator.DEFAULT.buffer();
    ByteBuf pooled = PooledByteBufAllocator.DEFAULT.buffer();
    try {
      assertThat(isPooled(patched, ours)).isTrue();
      assertThat(isPooled(patched, ours.slice())).isTrue();
      assertThat(isPooled(patched, pooled)).isTrue();
      assertThat(isPooled(patched, Unpooled.buffer())).isFalse();
    } finally {
      ours.release();
      pooled.release();
    }
  }

  private static boolean isPooled(Class<?> handler, ByteBuf buffer) throws Exception {
    Method method = handler.getDeclaredMethod("pooled", ByteBuf.class);
    method.setAccessible(true);
    return (boolean) method.invoke(null, buffer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "boolean a(ByteBufAllocator b) { return b instanceof PooledByteBufAllocator; }",
        "boolean a(ByteBuf b) { ByteBufAllocator c = b.alloc(); return c instanceof PooledByteBufAllocator; }",
        "boolean a(ByteBuf b) { return b.alloc() == PooledByteBufAllocator.DEFAULT; }"
      })
  void anUnknownTestIsRefused(String members) throws Exception {
    byte[] handler = compile(HANDLER, members);
    assertThatThrownBy(() -> VertxPatch.handler(handler))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining("does not test the result of ByteBuf.alloc");
  }

  /** As Vert.x 4.0: its channels have an allocator of its own, whose buffers it knows. */
  @Test
  void classesThatNameNoAllocatorAreLeftAlone() throws Exception {
    byte[] handler = compile(HANDLER, "ByteBuf a(ByteBuf b) { return b.alloc().buffer(); }");
    assertThat(VertxPatch.handler(handler)).isSameAs(handler);
    for (String name : List.of(USER, SSL)) {
      byte[] user = compile(name, "");
      assertThat(VertxPatch.allocatorUser(user)).isSameAs(user);
    }
  }

  /** Each would fail the JVM's verification if it were changed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PooledByteBufAllocator a() { return PooledByteBufAllocator.DEFAULT; }",
        "Object a() { return PooledByteBufAllocator.DEFAULT.metric(); }",
        "ByteBufAllocator a(boolean b) { return (PooledByteBufAllocator)"
            + " (b ? new PooledByteBufAllocator(true) : PooledByteBufAllocator.DEFAULT); }"
      })
  void anAllocatorThatIsNotOnlyReturnedIsRefused(String members) throws Exception {
    byte[] user = compile(SSL, members);
    assertThatThrownBy(() -> VertxPatch.allocatorUser(user))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining("more than return");
  }

  /** Whatever is read, it ends in an answer: the agent must not break a class load. */
  @Test
  void aDamagedClassIsRefused() throws Exception {
    byte[] handler = Arrays.copyOf(original(VertxPatch.HANDLER), 300);
    assertThatThrownBy(() -> VertxPatch.handler(handler))
        .isInstanceOf(UnexpectedClassException.class);
    assertThatThrownBy(() -> VertxPatch.allocatorUser(handler))
        .isInstanceOf(UnexpectedClassException.class);
  }

  private static byte[] original(String name) throws IOException {
    try (InputStream in = Vertx.class.getResourceAsStream('/' + name + ".class")) {
      return in.readAllBytes();
    }
  }

  private static byte[] compile(String name, String members) throws IOException {
    return CompiledClass.of(name, members).file();
  }
}
