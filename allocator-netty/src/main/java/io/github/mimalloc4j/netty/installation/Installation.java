package io.github.mimalloc4j.netty.installation;

import io.github.mimalloc4j.activation.ByteBufUtilPatch;
import io.github.mimalloc4j.activation.ModuleReads;
import io.github.mimalloc4j.activation.NettyVersion;
import io.github.mimalloc4j.activation.OwnTypeException;
import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.activation.UnexpectedClassException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.logging.InternalLogLevel;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Activation without an agent: defines a changed copy of Netty's class before Netty's own is
 * loaded.
 *
 * <p>Each step is done at most once. Thread-safe.
 */
public final class Installation {

  /**
   * A name rather than a class: linking the allocator must not fail before Netty's choice is read.
   */
  private static final String ALLOCATOR_CLASS =
      "io.github.mimalloc4j.netty.MiMallocByteBufAllocator";

  private static final String CORE_CLASS = "io.github.mimalloc4j.core.BlockAllocator";
  private static final String READS_CLASS = "io.netty.buffer.MiMalloc4jReads";

  /** Set in programs compiled by GraalVM. */
  private static final String NATIVE_IMAGE = "org.graalvm.nativeimage.imagecode";

  /** The outcome of the first attempt. Guarded by the class. */
  private static @Nullable Attempt attempt;

  /**
   * Whether Netty's default allocator is ours; null before that was checked. Guarded by the class.
   */
  private static @Nullable Boolean ours;

  /**
   * The outcome of an attempt.
   *
   * @param changed whether Netty's changed class was defined
   * @param problem the reason if it was not, if known
   */
  private record Attempt(boolean changed, @Nullable String problem) {}

  private Installation() {}

  /**
   * Activates the allocator. Avoids initialising Netty if possible: an application that has not
   * configured its logging yet would see Netty's debug messages.
   */
  public static synchronized void activate() {
    Attempt outcome = attempt();
    if (!outcome.changed) {
      verify(outcome);
    }
  }

  /**
   * Activates the allocator if that was not done yet, and initialises Netty. If the property was
   * not set, it is not set afterwards either: a copy of Netty in another class loader, which is not
   * changed, would take the pooled allocator for a type that it does not know.
   *
   * @return whether Netty's default allocator is ours
   */
  public static synchronized boolean install() {
    if (attempt == null && Selection.isOther()) {
      leaveAlone();
    }
    boolean chosen = Selection.isMiMalloc();
    try {
      return verify(attempt());
    } finally {
      if (!chosen) { // Netty has read it, or failed
        Selection.withdraw();
      }
    }
  }

  /** Leaves Netty the allocator that the property names. */
  private static void leaveAlone() {
    attempt = new Attempt(false, null);
    ours = isOurs();
    if (ours) {
      return; // the agent activated it before the property was changed
    }
    try {
      logger()
          .log(
              Selection.isNettys() ? InternalLogLevel.INFO : InternalLogLevel.WARN,
              "MiMalloc.install() leaves Netty's default allocator alone: -D{}={} (not {})",
              Selection.PROPERTY,
              Selection.type(),
              Selection.MIMALLOC);
    } catch (LinkageError | RuntimeException e) {
      // There is no logger without Netty; or an appender failed.
    }
  }

  private static boolean isOurs() {
    try {
      return ByteBufAllocator.DEFAULT.getClass().getName().equals(ALLOCATOR_CLASS);
    } catch (Throwable e) { // Netty is missing or cannot start: its users will see
      return false;
    }
  }

  private static Attempt attempt() {
    Attempt outcome = attempt;
    if (outcome == null) {
      outcome = attemptOnce();
      attempt = outcome;
    }
    return outcome;
  }

  private static Attempt attemptOnce() {
    try {
      checkRuntime();
      checkVisibility();
      String problem = NettyVersion.problem(ByteBufAllocator.class.getClassLoader());
      if (problem != null) {
        throw new UnsupportedOperationException(problem);
      }
      VertxInstallation.changeHandler();
      boolean changed = define();
      if (changed) {
        VertxInstallation.changeAllocatorUsers();
      }
      return new Attempt(changed, null);
    } catch (OwnTypeException cause) {
      return new Attempt(false, cause.getMessage());
    } catch (Throwable cause) { // Whatever it is, the application must start.
      if (!Selection.isAgentThere()) {
        Selection.withdraw();
      }
      return new Attempt(
          false,
          cause instanceof UnsupportedOperationException
              ? String.valueOf(cause.getMessage())
              : cause instanceof UnexpectedClassException
                  ? "Netty's class ByteBufUtil is not as expected, " + cause.getMessage()
                  : cause.toString());
    }
  }

  private static boolean verify(Attempt outcome) {
    Boolean known = ours;
    if (known == null) {
      known = verifyOnce(outcome);
      ours = known;
    }
    return known;
  }

  /**
   * Returns whether Netty chose our allocator, and warns if it should have. An agent may have
   * activated it, too.
   */
  private static boolean verifyOnce(Attempt outcome) {
    String chosen;
    try {
      chosen = defaultAllocator(outcome).getClass().getName();
    } catch (Throwable cause) {
      warn(outcome.problem != null ? outcome.problem : cause.toString());
      return false;
    }
    // By name: an agent may have given Netty a copy of this library that is not visible here.
    if (chosen.equals(ALLOCATOR_CLASS)) {
      return true;
    }
    if (outcome.problem != null) {
      warn(outcome.problem);
    } else if (!outcome.changed) {
      warn(
          "Netty's class ByteBufUtil is loaded already, and its default allocator is "
              + chosen
              + ". "
              + adviceIfTooLate());
    } else if (Selection.isMiMalloc()) { // Otherwise ours failed, and the cause is in the log.
      warn("Netty chose an allocator of its own, " + chosen);
    }
    return false;
  }

  private static String adviceIfTooLate() {
    String call = "Call this method in the first line of main, before any class that uses Netty";
    String cache = aotCache();
    return cache == null
        ? call + ", or use -javaagent with -D" + Selection.PROPERTY + '=' + Selection.MIMALLOC
        : "The JVM was started with "
            + cache
            + ", which loads classes before main that were loaded when the cache was recorded:"
            + " record it in a run in which this call takes effect. "
            + call;
  }

  /**
   * Returns the option that makes the JVM load classes before main; null if it is not set, or if
   * the options cannot be read.
   */
  private static @Nullable String aotCache() {
    try {
      for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
        if (option.startsWith("-XX:AOTCache=")) {
          return option;
        }
      }
    } catch (LinkageError | SecurityException e) {
      // The JVM lacks the module, or denies access.
    }
    return null;
  }

  private static ByteBufAllocator defaultAllocator(Attempt outcome) {
    if (outcome.changed || outcome.problem != null || !Selection.isMiMalloc()) {
      return ByteBufAllocator.DEFAULT;
    }
    // Netty's class is loaded but perhaps not initialised. The next line initialises it, and Netty
    // takes its own default. A class changed by the agent still asks for ours.
    Selection.withdraw();
    try {
      return ByteBufAllocator.DEFAULT;
    } finally {
      System.setProperty(Selection.PROPERTY, Selection.MIMALLOC);
    }
  }

  private static void checkRuntime() {
    if (System.getProperty(NATIVE_IMAGE) != null) {
      throw new UnsupportedOperationException(
          "a native image cannot define classes: name the allocator as ChannelOption.ALLOCATOR");
    }
  }

  /**
   * Checks that this library sees the core, and Netty sees this library. Otherwise Netty would not
   * start.
   */
  private static void checkVisibility() {
    ClassLoader own = Installation.class.getClassLoader();
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
      // Treated as if another class loader had defined it.
    }
    throw new UnsupportedOperationException(
        "Netty's class loader does not see this library: put both into the same one, or use"
            + " -javaagent");
  }

  /**
   * Defines Netty's changed class before Netty's own is loaded.
   *
   * @return false if Netty's own was already loaded
   */
  private static boolean define() throws Exception {
    byte[] patched = ByteBufUtilPatch.apply(read(ByteBufAllocator.class, "ByteBufUtil.class"));
    Lookup lookup = lookup();
    boolean chosen = Selection.isMiMalloc();
    // Before the class is defined: another thread may initialise it at once.
    System.setProperty(Selection.PROPERTY, Selection.MIMALLOC);
    boolean defined = false;
    try {
      letNettyReadUs(lookup);
      defined = defineUnlessLoaded(lookup, patched);
      return defined;
    } finally {
      if (!defined && !chosen) {
        System.clearProperty(Selection.PROPERTY);
      }
    }
  }

  /** Defines a class in the package of a lookup. Returns false if it is loaded already. */
  static boolean defineUnlessLoaded(Lookup lookup, byte[] classFile) throws IllegalAccessException {
    try {
      lookup.defineClass(classFile);
      return true;
    } catch (LinkageError e) {
      if (e.getClass() == LinkageError.class) {
        return false; // The class exists.
      }
      throw e;
    }
  }

  private static Lookup lookup() {
    try {
      return MethodHandles.privateLookupIn(ByteBufAllocator.class, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      Module own = Installation.class.getModule();
      throw new UnsupportedOperationException(
          "Netty is a named module, which needs --add-opens io.netty.buffer/io.netty.buffer="
              + (own.isNamed() ? own.getName() : "ALL-UNNAMED"),
          e);
    }
  }

  private static void letNettyReadUs(Lookup lookup) throws Exception {
    Module own = Installation.class.getModule();
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
      throw new AssertionError(e); // The method declares no exception.
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

  private static void warn(String reason) {
    try {
      logger().warn("The allocator is not activated, Netty stays as it is: {}.", reason);
    } catch (LinkageError | RuntimeException e) { // no logger without Netty; or an appender failed
      System.err.println("mimalloc4j: the allocator is not activated: " + reason);
    }
  }

  private static InternalLogger logger() {
    return InternalLoggerFactory.getInstance("io.github.mimalloc4j.netty.MiMalloc");
  }
}
