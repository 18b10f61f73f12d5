package io.github.mimalloc4j.activationtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.activation.ByteBufUtilPatch;
import io.github.mimalloc4j.activation.OwnTypeException;
import io.github.mimalloc4j.activation.UnexpectedClassException;
import io.github.mimalloc4j.netty.redirection.DefaultAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which classes are changed, and which are left alone; with classes as Netty might have them. */
class ByteBufUtilPatchTest {

  /** Each passes the JVM's verification afterwards, and gets what our field has. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CHOSEN = PooledByteBufAllocator.DEFAULT;",
        "ByteBufAllocator a = PooledByteBufAllocator.DEFAULT; CHOSEN = a;",
        "CHOSEN = System.nanoTime() == 0 ? null : PooledByteBufAllocator.DEFAULT;",
        """
        String type = System.getProperty("no.such.property", "x");
        ByteBufAllocator a;
        switch (type) {
          case "unpooled": a = UnpooledByteBufAllocator.DEFAULT; break;
          case "pooled": a = PooledByteBufAllocator.DEFAULT; break;
          default: a = PooledByteBufAllocator.DEFAULT;
        }
        CHOSEN = a;
        """
      })
  void aDefaultIsRedirected(String initializer) throws Exception {
    CompiledClass original = compiled(initializer, "");
    byte[] patched = ByteBufUtilPatch.apply(original.file());
    Field chosen = original.initialized(patched).getDeclaredField("CHOSEN");
    chosen.setAccessible(true);
    assertThat(chosen.get(null)).isSameAs(DefaultAllocator.ALLOCATOR);
    assertThat(patched)
        .asString(StandardCharsets.ISO_8859_1)
        .contains("io/github/mimalloc4j/netty/redirection/DefaultAllocator");
  }

  @Test
  void aClassThatWasChangedBeforeIsLeftAlone() throws Exception {
    byte[] patched =
        ByteBufUtilPatch.apply(compile("CHOSEN = PooledByteBufAllocator.DEFAULT;", ""));
    assertThat(ByteBufUtilPatch.apply(patched)).isSameAs(patched);
  }

  /** Each would fail the JVM's verification, or mean something else, if it were changed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '~',
      value = {
        "CHOSEN = null; # does not name",
        "CHOSEN = null; Object o = PooledByteBufAllocator.DEFAULT.metric(); # for more than the default",
        "PooledByteBufAllocator a = PooledByteBufAllocator.DEFAULT; a.metric(); CHOSEN = a; # for more than the default",
        "PooledByteBufAllocator a = PooledByteBufAllocator.DEFAULT; if (a != null) CHOSEN = a; else CHOSEN = null; # for more than the default",
        "PooledByteBufAllocator a = PooledByteBufAllocator.DEFAULT; if (System.nanoTime() == 0) System.gc(); CHOSEN = a; # for more than the default",
        "CHOSEN = System.nanoTime() == 0 ? PooledByteBufAllocator.DEFAULT : null; # for more than the default",
        "java.util.function.Supplier<ByteBufAllocator> s = () -> PooledByteBufAllocator.DEFAULT; CHOSEN = s.get(); # its method lambda",
      })
  void anyOtherUseIsRefused(String initializer, String reason) throws Exception {
    byte[] classFile = compile(initializer, "");
    assertThatThrownBy(() -> ByteBufUtilPatch.apply(classFile))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void aUseInAMethodIsRefused() throws Exception {
    byte[] classFile =
        compile(
            "CHOSEN = PooledByteBufAllocator.DEFAULT;",
            "Object metric() { return PooledByteBufAllocator.DEFAULT.metric(); }");
    assertThatThrownBy(() -> ByteBufUtilPatch.apply(classFile))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining("its method metric");
  }

  /** What makes Netty take its own default could not be put in its place. */
  @Test
  void aClassThatReadsThePropertyOtherwiseIsRefused() throws Exception {
    byte[] classFile = compile("CHOSEN = PooledByteBufAllocator.DEFAULT;", "");
    String file = new String(classFile, StandardCharsets.ISO_8859_1);
    byte[] other =
        file.replace("SystemPropertyUtil", "SystemPropertyTool")
            .getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> ByteBufUtilPatch.apply(other))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining("does not read its type");
  }

  /** Where an unknown type might mean another allocator, or fail. */
  @Test
  void aClassThatTreatsUnknownTypesOtherwiseIsRefused() throws Exception {
    byte[] classFile =
        compile(
            "if (name.equals(\"pooled\")) CHOSEN = PooledByteBufAllocator.DEFAULT;"
                + " else CHOSEN = UnpooledByteBufAllocator.DEFAULT;",
            "");
    String file = new String(classFile, StandardCharsets.ISO_8859_1);
    byte[] other =
        file.replace("pooled (unknown", "unpool (unknown").getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> ByteBufUtilPatch.apply(other))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining("for unknown types");
  }

  @Test
  void aTypeOfTheSameNameIsLeftToNetty() throws Exception {
    byte[] classFile =
        compile(
            "CHOSEN = name.equals(\"mimalloc\") ? UnpooledByteBufAllocator.DEFAULT"
                + " : (ByteBufAllocator) PooledByteBufAllocator.DEFAULT;",
            "");
    assertThatThrownBy(() -> ByteBufUtilPatch.apply(classFile))
        .isInstanceOf(OwnTypeException.class);
  }

  @Test
  void anotherClassIsRefused() throws IOException {
    try (InputStream in = PooledByteBufAllocator.class.getResourceAsStream("ByteBuf.class")) {
      byte[] other = in.readAllBytes();
      assertThatThrownBy(() -> ByteBufUtilPatch.apply(other)).hasMessageContaining("another name");
    }
  }

  /** Whatever is read, it ends in an answer: the agent must not break a class load. */
  @Test
  void aDamagedClassIsRefusedWhereverItEnds() throws Exception {
    byte[] classFile = compile("CHOSEN = PooledByteBufAllocator.DEFAULT;", "");
    // The attributes of the class itself come last and are not looked at: SourceFile alone.
    int end = classFile.length - 10;
    for (int length = 0; length < end; length++) {
      byte[] damaged = Arrays.copyOf(classFile, length);
      assertThatThrownBy(() -> ByteBufUtilPatch.apply(damaged))
          .as("%s bytes", length)
          .isInstanceOf(UnexpectedClassException.class);
    }
  }

  @Test
  void theVersionOfTheClassFileDoesNotMatter() throws Exception {
    byte[] classFile = compile("CHOSEN = PooledByteBufAllocator.DEFAULT;", "");
    byte[] expected = ByteBufUtilPatch.apply(classFile);
    for (byte[] file : List.of(classFile, expected)) {
      file[7] = (byte) 200; // The major version, of a JDK that is far away.
    }
    assertThat(ByteBufUtilPatch.apply(classFile)).isEqualTo(expected);
  }

  /** Compiles a ByteBufUtil with that static initialiser. */
  private static byte[] compile(String initializer, String members) throws IOException {
    return compiled(initializer, members).file();
  }

  private static CompiledClass compiled(String initializer, String members) throws IOException {
    return CompiledClass.of(
        "io.netty.buffer.ByteBufUtil",
        "static final ByteBufAllocator CHOSEN;"
            + " static { String name = io.netty.util.internal.SystemPropertyUtil"
            + ".get(\"io.netty.allocator.type\", \"adaptive\");"
            + " String message = \"-Dio.netty.allocator.type: pooled (unknown: {})\";"
            + initializer
            + " } "
            + members);
  }
}
