package io.github.mimalloc4j.activationtests;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/** Jars as others might have spoiled them. */
final class ChangedJars {

  private static final String BYTE_BUF_UTIL = "io/netty/buffer/ByteBufUtil.class";

  private static final String HANDLER = "io/vertx/core/net/impl/VertxHandler.class";

  private ChangedJars() {}

  /** The tests' Netty with another netty-buffer. */
  static List<Path> netty(UnaryOperator<Path> change) {
    return changed(JarFiles.netty(), "netty-buffer-", change);
  }

  /** Jars in some of which a field or method has a name of the same length instead. */
  static List<Path> renamed(List<Path> jars, String start, String member, String name) {
    return changed(
        jars,
        start,
        jar -> copy(jar, "renamed-", entry -> true, c -> withText(c.bytes, member, name)));
  }

  private static List<Path> changed(List<Path> jars, String start, UnaryOperator<Path> change) {
    return jars.stream()
        .map(jar -> jar.getFileName().toString().startsWith(start) ? change.apply(jar) : jar)
        .toList();
  }

  /** A jar without some of its entries. */
  static Path without(Path jar, Predicate<String> unwanted) {
    try (JarFile file = new JarFile(jar.toFile())) {
      if (file.stream().map(JarEntry::getName).noneMatch(unwanted)) {
        throw new IllegalArgumentException("there is no such entry in " + jar);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy(jar, "less-", unwanted.negate(), Content::bytes);
  }

  /** A Netty whose {@code ByteBufUtil} has a type of that name, of eight letters. */
  static Path withOwnType(Path nettyBuffer, String name) {
    return copy(
        nettyBuffer, "own-type-", entry -> true, c -> withText(c, BYTE_BUF_UTIL, "unpooled", name));
  }

  /** A Netty that in the end takes another allocator than it was told. */
  static Path withOwnMind(Path nettyBuffer) {
    return copy(
        nettyBuffer,
        "own-mind-",
        entry -> true,
        c -> c.name.equals(BYTE_BUF_UTIL) ? withOtherDefault(c.bytes) : c.bytes);
  }

  /** A library that is another version: what Netty is made to call has another name. */
  static Path withAnotherHolder(Path library) {
    String holder = "io/github/mimalloc4j/netty/redirection/DefaultAllocator.class";
    return copy(library, "other-", entry -> true, c -> withText(c, holder, "property", "changed_"));
  }

  /** A Netty whose {@code ByteBufUtil} uses the pooled allocator in one more place. */
  static Path withOneMoreUse(Path nettyBuffer) {
    return copy(
        nettyBuffer,
        "changed-",
        entry -> true,
        c -> c.name.equals(BYTE_BUF_UTIL) ? withOneMoreUse(c.bytes) : c.bytes);
  }

  /** An entry of a jar. */
  private record Content(String name, byte[] bytes) {}

  private static Path copy(
      Path jar, String prefix, Predicate<String> wanted, Function<Content, byte[]> change) {
    try {
      Path folder = Files.createTempDirectory(JarFiles.workFolder(), prefix);
      Path copy = folder.resolve(prefix + jar.getFileName());
      try (JarFile from = new JarFile(jar.toFile());
          OutputStream file = Files.newOutputStream(copy);
          JarOutputStream to = new JarOutputStream(file)) {
        for (Enumeration<JarEntry> entries = from.entries(); entries.hasMoreElements(); ) {
          JarEntry entry = entries.nextElement();
          if (wanted.test(entry.getName())) {
            to.putNextEntry(new JarEntry(entry.getName()));
            try (InputStream in = from.getInputStream(entry)) {
              to.write(change.apply(new Content(entry.getName(), in.readAllBytes())));
            }
            to.closeEntry();
          }
        }
      }
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The class file of that name with one text instead of another of the same length. */
  private static byte[] withText(Content content, String classFile, String from, String to) {
    if (!content.name.equals(classFile)) {
      return content.bytes;
    }
    byte[] changed = withText(content.bytes, from, to);
    if (Arrays.equals(changed, content.bytes)) {
      throw new IllegalArgumentException("there is no " + from + " in " + classFile);
    }
    return changed;
  }

  /** A class file with one text instead of another of the same length, if it has that. */
  private static byte[] withText(byte[] classFile, String from, String to) {
    if (from.length() != to.length()) {
      throw new IllegalArgumentException(from + " to " + to);
    }
    String length = "\0" + (char) from.length();
    return new String(classFile, StandardCharsets.ISO_8859_1)
        .replace(length + from, length + to)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The class with one more use, which is none of a default, in a method. */
  static byte[] withOneMoreUse(byte[] byteBufUtil) {
    return rewritten(
        byteBufUtil, (name, method) -> name.equals("utf8MaxBytes") ? new Use(method) : method);
  }

  /** A Vert.x that does the same with other instructions. */
  static List<Path> vertxThatIsUnknown(List<Path> jars) {
    return changed(
        jars,
        "vertx-core-",
        jar ->
            copy(
                jar,
                "unknown-",
                entry -> true,
                c ->
                    c.name.equals(HANDLER)
                        ? rewritten(c.bytes, (name, method) -> new Pause(method))
                        : c.bytes));
  }

  private static byte[] withOtherDefault(byte[] byteBufUtil) {
    return rewritten(
        byteBufUtil, (name, method) -> name.equals("<clinit>") ? new OtherDefault(method) : method);
  }

  /** A class file with other methods, made by name and from what visits the same one. */
  private static byte[] rewritten(
      byte[] classFile, BiFunction<String, MethodVisitor, MethodVisitor> change) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String type, String signature, String[] exceptions) {
                return change.apply(
                    name, super.visitMethod(access, name, type, signature, exceptions));
              }
            },
            0);
    return writer.toByteArray();
  }

  private static final class Pause extends MethodVisitor {

    Pause(MethodVisitor method) {
      super(Opcodes.ASM9, method);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, name, type, isInterface);
      if (name.equals("alloc")) {
        super.visitInsn(Opcodes.NOP);
      }
    }
  }

  private static final class OtherDefault extends MethodVisitor {

    OtherDefault(MethodVisitor method) {
      super(Opcodes.ASM9, method);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        String unpooled = "io/netty/buffer/UnpooledByteBufAllocator";
        super.visitFieldInsn(Opcodes.GETSTATIC, unpooled, "DEFAULT", 'L' + unpooled + ';');
        super.visitFieldInsn(
            Opcodes.PUTSTATIC,
            "io/netty/buffer/ByteBufUtil",
            "DEFAULT_ALLOCATOR",
            "Lio/netty/buffer/ByteBufAllocator;");
      }
      super.visitInsn(opcode);
    }
  }

  private static final class Use extends MethodVisitor {

    Use(MethodVisitor method) {
      super(Opcodes.ASM9, method);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      String pooled = "io/netty/buffer/PooledByteBufAllocator";
      super.visitFieldInsn(Opcodes.GETSTATIC, pooled, "DEFAULT", 'L' + pooled + ';');
      super.visitInsn(Opcodes.POP);
    }
  }
}
