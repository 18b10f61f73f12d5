package io.github.mimalloc4j.netty.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.mimalloc4j.netty.support.NettyLine;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What the library uses of Netty is there, in the version that the tests run with: one jar serves
 * all versions. What only newer ones have is used by a few classes, which ask for it first.
 */
class NettyReferencesTest {

  /** Those that are not in every version, each with the class that knows that. */
  private static final String[] ONLY_IN_NEWER = {
    "CleanableMemory: CleanableDirectBuffer",
    "CleanableMemory: CleanableDirectBuffer.buffer",
    "CleanableMemory: CleanableDirectBuffer.clean",
    "CleanableMemory: CleanableDirectBuffer.hasMemoryAddress",
    "CleanableMemory: CleanableDirectBuffer.memoryAddress",
    "CleanableMemory: PlatformDependent.allocateDirect",
    "CleanableMemory: PlatformDependent.hasDirectByteBufferAddress",
    "NettyMemory: PlatformDependent.canReliabilyFreeDirectBuffers",
    "NettyThreads: FastThreadLocalThread.currentThreadHasFastThreadLocal",
    "NettyThreads: FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals"
  };

  private final Set<String> missing = new TreeSet<>();
  private int references;

  @Test
  void whatIsUsedOfNettyIsThere() throws IOException {
    for (JavaClass type : library()) {
      try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
        new ClassReader(in).accept(new References(type.getSimpleName()), 0);
      }
    }
    assertThat(references).isGreaterThan(300);
    if (NettyLine.CURRENT == NettyLine.V4_2) {
      assertThat(Arrays.asList(ONLY_IN_NEWER)).containsAll(missing); // none in the newest
    } else {
      assertThat(missing).containsExactly(ONLY_IN_NEWER);
    }
  }

  @Test
  void allThatNettyLeavesToSubclassesIsImplemented() throws ReflectiveOperationException {
    Set<String> abstractMethods = new TreeSet<>();
    for (JavaClass type : library()) {
      Class<?> loaded = Class.forName(type.getName()); // initialized, and so verified
      if (!Modifier.isAbstract(loaded.getModifiers())) {
        for (Class<?> from = loaded; from != null; from = from.getSuperclass()) {
          for (Method method : from.getDeclaredMethods()) {
            if (Modifier.isAbstract(method.getModifiers()) && !isImplemented(loaded, method)) {
              abstractMethods.add(loaded + ": " + method);
            }
          }
        }
      }
    }
    assertThat(abstractMethods).isEmpty();
  }

  @Test
  void whatIsNotThereIsFound() {
    require("Test", "io/netty/buffer/ByteBuf", "readByte", "()B");
    require("Test", "io/netty/buffer/ByteBuf", "hashCode", "()I");
    require(
        "Test", "io/netty/channel/ServerChannel", "close", "()Lio/netty/channel/ChannelFuture;");
    assertThat(missing).isEmpty();
    require("Test", "io/netty/buffer/ByteBuf", "readByte", "()S");
    require("Test", "io/netty/buffer/Planted", "of", "()V");
    assertThat(missing).containsExactly("Test: ByteBuf.readByte", "Test: Planted.of");
  }

  private static Iterable<JavaClass> library() {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages(
            "io.github.mimalloc4j.netty",
            "io.github.mimalloc4j.activation",
            "io.github.mimalloc4j.agent",
            "io.github.mimalloc4j.blockhound",
            "io.github.mimalloc4j.bootstrap",
            "io.github.mimalloc4j.micrometer",
            "io.github.mimalloc4j.spring");
  }

  private static boolean isImplemented(Class<?> type, Method method) {
    for (Class<?> from = type; from != method.getDeclaringClass(); from = from.getSuperclass()) {
      try {
        Method found = from.getDeclaredMethod(method.getName(), method.getParameterTypes());
        if (!Modifier.isAbstract(found.getModifiers())) {
          return true;
        }
      } catch (NoSuchMethodException e) {
        // perhaps in its superclass
      }
    }
    return false;
  }

  private void require(String user, String owner, String member, String descriptor) {
    if (!owner.startsWith("io/netty/")) {
      return;
    }
    references++;
    String name = owner.substring(owner.lastIndexOf('/') + 1);
    try {
      Class<?> type = Class.forName(owner.replace('/', '.'), false, getClass().getClassLoader());
      if (member.isEmpty() || has(type, member, descriptor)) {
        return;
      }
    } catch (ClassNotFoundException e) {
      // missing
    }
    missing.add(user + ": " + name + (member.isEmpty() ? "" : '.' + member));
  }

  private static boolean has(Class<?> type, String member, String descriptor) {
    return type != null
        && (declares(type, member, descriptor)
            || has(type.getSuperclass(), member, descriptor)
            || Arrays.stream(type.getInterfaces()).anyMatch(i -> has(i, member, descriptor)));
  }

  private static boolean declares(Class<?> type, String member, String descriptor) {
    if (!descriptor.startsWith("(")) {
      return Arrays.stream(type.getDeclaredFields())
          .anyMatch(
              field ->
                  field.getName().equals(member)
                      && Type.getDescriptor(field.getType()).equals(descriptor));
    }
    if (member.equals("<init>")) {
      return Arrays.stream(type.getDeclaredConstructors())
          .anyMatch(constructor -> Type.getConstructorDescriptor(constructor).equals(descriptor));
    }
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(
            method ->
                method.getName().equals(member)
                    && Type.getMethodDescriptor(method).equals(descriptor));
  }

  /** All that a class names of Netty: supertypes, types of its members, and what its code uses. */
  private final class References extends ClassVisitor {

    private final String user;

    References(String user) {
      super(Opcodes.ASM9);
      this.user = user;
    }

    private void type(Type type) {
      if (type.getSort() == Type.METHOD) {
        type(type.getReturnType());
        Arrays.stream(type.getArgumentTypes()).forEach(this::type);
      } else if (type.getSort() == Type.ARRAY) {
        type(type.getElementType());
      } else if (type.getSort() == Type.OBJECT) {
        require(user, type.getInternalName(), "", "");
      }
    }

    private void member(String owner, String name, String descriptor) {
      require(user, owner, name, descriptor);
      type(Type.getType(descriptor));
    }

    private void constant(Object constant) {
      if (constant instanceof Handle handle) {
        member(handle.getOwner(), handle.getName(), handle.getDesc());
      } else if (constant instanceof Type type) {
        type(type);
      }
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        String parent,
        String[] interfaces) {
      type(Type.getObjectType(parent));
      Arrays.stream(interfaces).map(Type::getObjectType).forEach(this::type);
    }

    @Override
    public org.objectweb.asm.FieldVisitor visitField(
        int access, String name, String descriptor, String signature, Object value) {
      type(Type.getType(descriptor));
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      type(Type.getMethodType(descriptor));
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean isInterface) {
          member(owner, name, descriptor);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
          member(owner, name, descriptor);
        }

        @Override
        public void visitTypeInsn(int opcode, String name) {
          type(Type.getObjectType(name));
        }

        @Override
        public void visitLdcInsn(Object value) {
          constant(value);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String name, String descriptor, Handle bootstrap, Object... arguments) {
          type(Type.getMethodType(descriptor));
          Arrays.stream(arguments).forEach(References.this::constant);
        }
      };
    }
  }
}
