package io.github.mimalloc4j.agent;

import io.github.mimalloc4j.activation.ByteBufUtilPatch;
import io.github.mimalloc4j.activation.NettyVersion;
import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.activation.UnexpectedClassException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Changes Netty's {@code ByteBufUtil} when a class loader loads it, after it has made sure that the
 * library can be reached from there.
 *
 * <p>Any thread that loads a class comes here, holding the lock of its class loader for that class.
 * So nothing here waits for another thread, and no class of Netty's is initialised.
 */
final class NettyTransformer implements ClassFileTransformer {

  private static final String RELOCATED = '/' + ByteBufUtilPatch.TARGET;

  private final Instrumentation instrumentation;
  private final LibraryClasses library;
  private final ChildLoaders children;
  private final AtomicBoolean warned = new AtomicBoolean();

  NettyTransformer(Instrumentation instrumentation, LibraryClasses library) {
    this.instrumentation = instrumentation;
    this.library = library;
    this.children = new ChildLoaders(library);
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || redefined != null || loader == null) {
      return null;
    }
    try {
      if (name.equals(ByteBufUtilPatch.TARGET)) {
        return Selection.isMiMalloc() ? activate(module, loader, classFile) : null;
      }
      if (name.endsWith(RELOCATED) && Selection.isMiMalloc()) {
        Warnings.relocated(name.replace('/', '.'));
      }
      children.seen(loader);
    } catch (UnexpectedClassException e) {
      warn("its class ByteBufUtil is not as expected, " + e.getMessage());
    } catch (Exception | LinkageError e) {
      warn(e.getCause() == null ? e.toString() : e + ": " + e.getCause());
    }
    return null;
  }

  private byte @Nullable [] activate(Module netty, ClassLoader loader, byte[] classFile)
      throws Exception {
    String problem = NettyVersion.problem(loader);
    if (problem != null) {
      warn(problem);
      return null;
    }
    byte[] patched = ByteBufUtilPatch.apply(classFile);
    Module own = library.reachableFrom(loader).getModule();
    if (!netty.canRead(own)) {
      instrumentation.redefineModule(netty, Set.of(own), Map.of(), Map.of(), Set.of(), Map.of());
    }
    return patched;
  }

  /** One warning is enough: where Netty is loaded twice, the second cause is mostly the first. */
  private void warn(String reason) {
    if (warned.compareAndSet(false, true)) {
      Warnings.notActivated(reason);
    }
  }
}
