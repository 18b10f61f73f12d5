package io.github.mimalloc4j.netty.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Where the Java heap is exhausted the JVM cannot link a lambda or a concatenation of strings, and
 * says so with an {@link InternalError} or a {@link BootstrapMethodError}, of which it repeats the
 * latter for ever. So what may run then for the first time must have none. What runs when an
 * allocator is made is no danger: without it there is none.
 */
class LinkageTest {

  private static final String[] WHEN_AN_ALLOCATOR_IS_MADE = {
    "Run.none",
    "ThreadHeaps.memories",
    "ThreadHeaps.blocks",
    "GuardedHeaps.guards",
    "GuardedHeaps.of",
    "GuardedHeaps.poisoned",
    "GuardedBuffers.byAddress",
    "GuardedBuffers.byNioBuffer",
    "GuardedBuffers.onArrays",
    "OutOfMemoryEvent.toldTo",
    "UpkeepThread.executor",
    "MiMallocByteBufAllocator.registerBeans",
    "ManagementBeans.register",
    "MemoryBean.getMBeanInfo",
    "MemoryBean.ofProcess",
    "MemoryBean.reading",
    "ProcessFigure.known",
    "PeriodicEvents.begin"
  };

  private static final String[] ONLY_WHEN_ASKED_FOR = {
    "Figure.camelCase",
    "Group.figures",
    "StatisticsJson.memory",
    "StatisticsJson.sizeClass",
    "StatisticsJson.object",
    "DebugGuard.readFree", // debug mode
    "DebugGuard.isCheckOfAccess"
  };

  @Test
  void nothingIsLinkedWhenMemoryIsShort() throws IOException {
    Set<String> linking = new TreeSet<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.github.mimalloc4j.core", "io.github.mimalloc4j.netty")) {
      try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
        new ClassReader(in).accept(new Linking(type.getSimpleName(), linking), 0);
      }
    }
    assertThat(linking)
        .contains(WHEN_AN_ALLOCATOR_IS_MADE)
        .contains(ONLY_WHEN_ASKED_FOR)
        .hasSize(WHEN_AN_ALLOCATOR_IS_MADE.length + ONLY_WHEN_ASKED_FOR.length);
  }

  @Test
  void suchCodeIsFound() throws IOException {
    Set<String> linking = new TreeSet<>();
    new ClassReader(LinkageTest.class.getName()).accept(new Linking("Test", linking), 0);
    assertThat(linking).containsExactly("Test.planted");
  }

  /** With a lambda. */
  static Runnable planted() {
    return () -> {};
  }

  /** Collects methods that link something, but for constructors and what records have. */
  private static final class Linking extends ClassVisitor {

    private final String type;
    private final Set<String> linking;

    Linking(String type, Set<String> linking) {
      super(Opcodes.ASM9);
      this.type = type;
      this.linking = linking;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitInvokeDynamicInsn(
            String name, String type, Handle bootstrap, Object... arguments) {
          boolean ofRecord = bootstrap.getOwner().equals("java/lang/runtime/ObjectMethods");
          if (!ofRecord && !method.startsWith("<")) {
            linking.add(Linking.this.type + "." + method);
          }
        }
      };
    }
  }
}
