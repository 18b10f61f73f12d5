package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.activation.ByteBufUtilPatch;
import io.github.mimalloc4j.activation.ModuleReads;
import io.github.mimalloc4j.activation.NettyVersion;
import io.github.mimalloc4j.activation.OwnTypeException;
import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.activation.UnexpectedClassException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link MiMallocByteBufAllocator#DEFAULT} the allocator of a whole JVM: {@link
 * ByteBufAllocator#DEFAULT}, what each channel has by default, and what frameworks derive from
 * them.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *   MiMalloc.install();
 *   ...
 * }
 * }</pre>
 *
 * <p>Netty chooses its default once, when it is first used; so this has to come before. The
 * alternative that needs no line of code is the agent.
 */
public final class MiMalloc {

  private static final String CORE_CLASS = "io.github.mimalloc4j.core.BlockAllocator";
  private static final String READS_CLASS = "io.netty.buffer.MiMalloc4jReads";

  /** Is set in a program that GraalVM compiled. */
  private static final String NATIVE_IMAGE = "org.graalvm.nativeimage.imagecode";

  /** The outcome of the first call. Guarded by the class. */
  private static @Nullable Boolean installed;

  private MiMalloc() {}

  /**
   * Makes Netty's default allocator this library's, if Netty has not chosen one yet. Never throws
   * an exception. If it cannot be done, Netty stays as it is, and a warning says why and what to
   * do. A {@code -Dio.netty.allocator.type} that names another allocator is obeyed.
   *
   * @return whether Netty's default allocator now is this library's. Further calls return the same
   *     and do nothing
   */
  public static synchronized boolean install() {
    Boolean outcome = installed;
    if (outcome == null) {
      outcome = installOnce();
      installed = outcome;
    }
    return outcome;
  }

  // Netty's logger is asked for only when there is something to say: an application that starts its
  // logging later, as Spring Boot does, would see Netty's debug messages otherwise.
  private static boolean installOnce() {
    if (Selection.isOther()) {
      InternalLoggerFactory.getInstance(MiMalloc.class)
          .info(
              "MiMalloc.install() leaves Netty's default allocator alone: -D{}={}",
              Selection.PROPERTY,
              Selection.type());
      return false;
    }
    try {
      checkRuntime();
      checkVisibility();
      String problem = NettyVersion.problem(ByteBufAllocator.class.getClassLoader());
      if (problem != null) {
        throw new UnsupportedOperationException(problem);
      }
      return define() || isTooLate();
    } catch (OwnTypeException cause) {
      warn(cause.getMessage());
      return false;
    } catch (Throwable cause) { // Whatever it is: the application must come up.
      Selection.withdraw();
      warn(
          cause instanceof UnsupportedOperationException
              ? cause.getMessage()
              : cause instanceof UnexpectedClassException
                  ? "Netty's class ByteBufUtil is not as expected, " + cause.getMessage()
                  : cause.toString());
      return false;
    }
  }

  private static void checkRuntime() {
    if (System.getProperty(NATIVE_IMAGE) != null) {
      throw new UnsupportedOperationException(
          "a native image cannot define classes: name the allocator as ChannelOption.ALLOCATOR");
    }
  }

  /** Both the core and, for Netty, this library must be there, or Netty would not come up. */
  private static void checkVisibility() {
    ClassLoader own = MiMalloc.class.getClassLoader();
    ClassLoader netty = ByteBufAllocator.class.getClassLoader();
    try {
      Class.forName(CORE_CLASS, false, own);
    } catch (ClassNotFoundException e) {
      throw new UnsupportedOperationException("allocator-core is missing from the class path", e);
    }
    try {
      Class<?> seen = Class.forName(Selection.DEFAULT_ALLOCATOR, false, netty);
      if (seen.getClassLoader() == own) {
        return;
      }
    } catch (ClassNotFoundException e) {
      // As if it were another one's.
    }
    throw new UnsupportedOperationException(
        "Netty's class loader does not see this library: put both into the same one, or use"
            + " -javaagent");
  }

  /**
   * Defines Netty's changed class before Netty's own is loaded.
   *
   * @return whether that was in time
   */
  private static boolean define() throws Exception {
    byte[] patched = ByteBufUtilPatch.apply(read(ByteBufAllocator.class, "ByteBufUtil.class"));
    Lookup lookup = lookup();
    boolean chosen = Selection.isMiMalloc();
    // Before the class is there: another thread may initialise it at once.
    System.setProperty(Selection.PROPERTY, Selection.MIMALLOC);
    boolean defined = false;
    try {
      letNettyReadUs(lookup);
      lookup.defineClass(patched);
      defined = true;
      return true;
    } catch (LinkageError e) {
      if (e.getClass() == LinkageError.class) {
        return false; // The class exists.
      }
      throw e;
    } finally {
      if (!defined && !chosen) {
        System.clearProperty(Selection.PROPERTY);
      }
    }
  }

  private static Lookup lookup() {
    try {
      return MethodHandles.privateLookupIn(ByteBufAllocator.class, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      Module own = MiMalloc.class.getModule();
      throw new UnsupportedOperationException(
          "Netty is a named module, which needs --add-opens io.netty.buffer/io.netty.buffer="
              + (own.isNamed() ? own.getName() : "ALL-UNNAMED"),
          e);
    }
  }

  private static void letNettyReadUs(Lookup lookup) throws Exception {
    Module own = MiMalloc.class.getModule();
    if (lookup.lookupClass().getModule().canRead(own)) {
      return;
    }
    byte[] original = read(ModuleReads.class, ModuleReads.class.getSimpleName() + ".class");
    Class<?> reads =
        lookup.defineClass(ModuleReads.classFile(original, READS_CLASS.replace('.', '/')));
    try {
      lookup
          .findStatic(reads, "add", MethodType.methodType(void.class, Module.class))
          .invokeExact(own);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // It declares none.
    }
  }

  private static byte[] read(Class<?> neighbour, String name) throws IOException {
    try (InputStream in = neighbour.getResourceAsStream(name)) {
      if (in == null) {
        throw new UnsupportedOperationException("the class file " + name + " cannot be found");
      }
      return in.readAllBytes();
    }
  }

  /** Netty's class is loaded. The agent may have seen to it before. */
  private static boolean isTooLate() {
    // It may be loaded and not initialised; then it is by the next line. What the agent changed
    // asks
    // for ours all the same.
    boolean named = Selection.isMiMalloc();
    Selection.withdraw();
    ByteBufAllocator chosen = ByteBufAllocator.DEFAULT;
    if (named) {
      System.setProperty(Selection.PROPERTY, Selection.MIMALLOC);
    }
    if (chosen instanceof MiMallocByteBufAllocator) {
      return true;
    }
    warn(
        "Netty's class ByteBufUtil is loaded already, and its default allocator is "
            + chosen.getClass().getSimpleName()
            + ". Call it in the first line of main, before any class that uses Netty, or use"
            + " -javaagent");
    return false;
  }

  private static void warn(@Nullable String reason) {
    try {
      InternalLoggerFactory.getInstance(MiMalloc.class)
          .warn("MiMalloc.install() has no effect, Netty stays as it is: {}.", reason);
    } catch (LinkageError e) { // No Netty, no logger.
      System.err.println("MiMalloc.install() has no effect: " + reason);
    }
  }
}
