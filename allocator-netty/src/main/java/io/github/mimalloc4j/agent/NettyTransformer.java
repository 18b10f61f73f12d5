package io.github.mimalloc4j.agent;

import io.github.mimalloc4j.activation.ByteBufUtilPatch;
import io.github.mimalloc4j.activation.NettyVersion;
import io.github.mimalloc4j.activation.OwnTypeException;
import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.activation.UnexpectedClassException;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Changes Netty's {@code ByteBufUtil} when a class loader loads it, after ensuring that the library
 * is reachable from there.
 *
 * <p>Called by any thread that loads a class, while it holds its class loader's lock for that
 * class. Nothing here therefore waits for another thread or initialises a class of Netty.
 */
final class NettyTransformer implements ClassFileTransformer {

  private static final String RELOCATED = '/' + ByteBufUtilPatch.TARGET;

  private final LibraryClasses library;
  private final @Nullable ChildLoaders children;
  private final AtomicBoolean warned = new AtomicBoolean();
  private volatile boolean activated;

  /**
   * Whether the property has selected the library. It is cleared when a copy of Netty cannot use
   * the library; other copies may.
   */
  private volatile boolean chosen;

  NettyTransformer(LibraryClasses library) {
    this.library = library;
    this.children = LibraryClasses.areOnSystemClassPath() ? new ChildLoaders(library) : null;
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || redefined != null) {
      return null;
    }
    try {
      if (name.equals(ByteBufUtilPatch.TARGET)) {
        return isChosen() ? activate(module, loader, classFile) : null;
      }
      if (name.endsWith(RELOCATED) && isChosen()) {
        Warnings.relocated(name.replace('/', '.'));
      }
      if (children != null && loader != null) {
        children.seen(loader);
      }
    } catch (Throwable e) {
      // The JVM would ignore the exception and load the class anyway. With other classes, it means
      // nothing: the loading thread's stack may be exhausted.
      if (name.equals(ByteBufUtilPatch.TARGET)) {
        refuse(e.getCause() == null ? e.toString() : e + ": " + e.getCause());
      }
    }
    return null;
  }

  /** Returns Netty's changed class file, or null if it must stay unchanged. */
  private byte @Nullable [] activate(Module netty, @Nullable ClassLoader loader, byte[] classFile)
      throws Exception {
    if (loader == null) {
      refuse("it is on the boot class path");
      return null;
    }
    String problem = NettyVersion.problem(loader);
    if (problem == null) {
      problem = VertxTransformer.problem(loader);
    }
    if (problem != null) {
      refuse(problem);
      return null;
    }
    byte[] patched;
    try {
      patched = ByteBufUtilPatch.apply(classFile);
    } catch (OwnTypeException e) {
      warn(e.getMessage());
      return null;
    } catch (UnexpectedClassException e) {
      refuse("its class ByteBufUtil is not as expected, " + e.getMessage());
      return null;
    }
    library.makeReachable(netty, loader);
    activated = true;
    return patched;
  }

  /** Returns whether a Netty was changed. */
  boolean isActivated() {
    return activated;
  }

  /** Returns whether the property selects the library, or did before it was cleared. */
  boolean isChosen() {
    if (Selection.isMiMalloc()) {
      chosen = true;
    }
    return chosen && !Selection.isOther();
  }

  /**
   * Lets a Netty that cannot use the library take its default. Its class is not initialised yet.
   */
  void refuse(String reason) {
    if (isChosen()) { // which is remembered
      Selection.withdraw();
    }
    warn(reason);
  }

  /** Warns once. If Netty is loaded twice, the second cause is usually the same as the first. */
  private void warn(@Nullable String reason) {
    if (warned.compareAndSet(false, true)) {
      Warnings.notActivated(reason);
    }
  }
}
