package io.github.mimalloc4j.netty.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.PrintedLog;
import io.netty.buffer.ByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerBuilder;
import javax.management.MBeanServerDelegate;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a management client finds, as long as it is there. */
@ExtendWith(LeakDetectionOff.class)
@Tag("same-without-unsafe")
class ManagementBeansTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @Test
  void attributesAreTheFiguresOfTheirKind() throws Exception {
    try (MiMallocByteBufAllocator allocator = newAllocator()) {
      ByteBuf direct = allocator.directBuffer(1 << 20);
      ByteBuf heap = allocator.heapBuffer(9 << 20);
      ObjectName directName = only("direct");
      ObjectName heapName = only("heap");
      assertThat(SERVER.getAttribute(directName, "LiveBytes")).isEqualTo(1L << 20);
      assertThat(SERVER.getAttribute(directName, "LargeBytes")).isEqualTo(1L << 20);
      assertThat(SERVER.getAttribute(directName, "UsedBytes"))
          .isEqualTo(allocator.metric().usedDirectMemory());
      assertThat(SERVER.getAttribute(directName, "LargeAllocations")).isEqualTo(1L);
      assertThat(SERVER.getAttribute(heapName, "HugeAllocations")).isEqualTo(1L);
      assertThat(SERVER.getAttribute(heapName, "HugeBytes")).isEqualTo(9L << 20);
      direct.release();
      heap.release();
      assertThat(SERVER.getAttribute(heapName, "LiveBytes")).isEqualTo(0L);
      assertThat(SERVER.getAttribute(heapName, "SegmentsPurged")).isEqualTo(1L);
    }
  }

  @Test
  void everyAttributeCanBeRead() throws Exception {
    try (MiMallocByteBufAllocator allocator = newAllocator()) {
      ByteBuf buffer = allocator.directBuffer(100);
      ObjectName name = only("direct");
      MBeanAttributeInfo[] attributes = SERVER.getMBeanInfo(name).getAttributes();
      assertThat(attributes).hasSameSizeAs(Figure.values());
      for (MBeanAttributeInfo attribute : attributes) {
        Number value = (Number) SERVER.getAttribute(name, attribute.getName());
        assertThat(value.longValue()).as(attribute.getName()).isNotNegative();
      }
      assertThat(withoutProcess(SERVER.invoke(name, "dumpStats", null, null)))
          .isEqualTo(withoutProcess(allocator.dumpStats()));
      assertThat(withoutProcess(SERVER.invoke(name, "dumpStatsAsJson", null, null)))
          .isEqualTo(withoutProcess(allocator.dumpStatsAsJson()));
      buffer.release();
    }
  }

  /** These numbers may change at any time. */
  private static String withoutProcess(Object text) {
    return text.toString()
        .replaceAll("(resident|native ?[hH]eap ?[tT]rim(s|med))(\":| +)[0-9,]+", "");
  }

  @Test
  void theProcessHasABeanOfItsOwn() throws Exception {
    try (MiMallocByteBufAllocator allocator = newAllocator()) {
      ObjectName name = only("process");
      long before = allocator.metric().process().nativeHeapTrims();
      long trims = (long) SERVER.getAttribute(name, "NativeHeapTrims");
      assertThat(trims).isBetween(before, allocator.metric().process().nativeHeapTrims());
      assertThat(SERVER.getMBeanInfo(name).getAttributes())
          .hasSameSizeAs(ProcessFigure.known(allocator.metric().process()));
    }
  }

  @Test
  void eachAllocatorHasNamesOfItsOwn() throws Exception {
    MiMallocByteBufAllocator first = newAllocator();
    MiMallocByteBufAllocator second = newAllocator();
    assertThat(names()).hasSize(6);
    Set<ObjectName> ofBoth = names();
    first.close();
    assertThat(names()).hasSize(3);
    first.close(); // harmless
    Set<ObjectName> ofSecond = names();
    assertThat(ofBoth).containsAll(ofSecond);
    MiMallocByteBufAllocator third = newAllocator();
    assertThat(names()).hasSize(6);
    second.close();
    third.close();
    assertThat(names()).isEmpty();
  }

  /** As a second copy of the library has, in another class loader. */
  @Test
  void aNameThatSomebodyElseHasIsLeftToHim() throws Exception {
    ObjectName taken =
        new ObjectName("io.github.mimalloc4j:type=MiMallocByteBufAllocator,id=1,memory=heap");
    Runnable other = () -> {};
    SERVER.registerMBean(new StandardMBean(other, Runnable.class), taken);
    try (MiMallocByteBufAllocator allocator = newAllocator()) {
      assertThat(names()).hasSize(4);
      assertThat(names("direct")).hasSize(1).doesNotContain(named(1, "direct"));
    } finally {
      assertThat(names()).containsExactly(taken);
      SERVER.unregisterMBean(taken);
    }
  }

  @Test
  void aBeanThatSomebodyElseUnregisteredIsNotMissed() throws Exception {
    MiMallocByteBufAllocator allocator = newAllocator();
    SERVER.unregisterMBean(only("direct"));
    allocator.close();
    assertThat(names()).isEmpty();
  }

  /** As a security manager would. */
  @Test
  void whereNoBeanCanBeRegisteredTheAllocatorWorksAndAWarningSaysSo() {
    String output =
        OtherJvm.run(
                DefaultAllocatorWithoutBeans.class,
                "-Djavax.management.builder.initial=" + RefusingBuilder.class.getName(),
                "-Dio.netty.allocator.mimalloc.jmx=true")
            .assertSucceeded()
            .output();
    assertThat(output.lines().filter(line -> line.startsWith("WARNING")))
        .singleElement()
        .asString()
        .contains("not available through JMX");
  }

  static final class DefaultAllocatorWithoutBeans {
    public static void main(String[] args) throws Exception {
      PrintedLog.begin();
      assertThat(MiMallocByteBufAllocator.DEFAULT.directBuffer(100).release()).isTrue();
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void anErrorLeavesNoBeanBehind() {
    OtherJvm.run(
            AllocatorThatFails.class,
            "-Djavax.management.builder.initial=" + RefusingBuilder.class.getName(),
            "-Dplanted.error=true")
        .assertSucceeded();
  }

  static final class AllocatorThatFails {
    public static void main(String[] args) throws Exception {
      assertThatThrownBy(ManagementBeansTest::newAllocator).isInstanceOf(AssertionError.class);
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void aListenerOfTheServerMayCloseTheAllocatorAgain() throws Exception {
    MiMallocByteBufAllocator allocator = newAllocator();
    NotificationListener closing = (notification, handback) -> allocator.close();
    SERVER.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, closing, null, null);
    try {
      allocator.close();
      assertThat(names()).isEmpty();
    } finally {
      SERVER.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, closing);
    }
  }

  @Test
  void closingAgainGoesOnAfterAnErrorOfAListenerOfTheServer() throws Exception {
    MiMallocByteBufAllocator allocator = newAllocator();
    NotificationListener failing =
        (notification, handback) -> {
          throw new AssertionError("planted");
        };
    SERVER.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, failing, null, null);
    try {
      assertThatThrownBy(allocator::close).isInstanceOf(AssertionError.class);
    } finally {
      SERVER.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, failing);
    }
    allocator.close();
    assertThat(names()).isEmpty();
  }

  /** Makes servers that register none of this library's beans but the first. */
  public static final class RefusingBuilder extends MBeanServerBuilder {
    @Override
    public MBeanServer newMBeanServer(
        String domain, MBeanServer outer, MBeanServerDelegate delegate) {
      MBeanServer server = super.newMBeanServer(domain, outer, delegate);
      return (MBeanServer)
          Proxy.newProxyInstance(
              RefusingBuilder.class.getClassLoader(),
              new Class<?>[] {MBeanServer.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("registerMBean")
                    && arguments[1].toString().matches("io.github.mimalloc4j.*memory=heap")) {
                  throw Boolean.getBoolean("planted.error")
                      ? new AssertionError("planted")
                      : new SecurityException("planted");
                }
                try {
                  return method.invoke(server, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  @Test
  void withoutTheOptionThereIsNone() throws Exception {
    try (MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.builder().build()) {
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void theSystemPropertyRegistersTheDefaultAllocator() {
    OtherJvm.run(DefaultAllocator.class, "-Dio.netty.allocator.mimalloc.jmx=true")
        .assertSucceeded();
  }

  static final class DefaultAllocator {
    public static void main(String[] args) throws Exception {
      ByteBuf buffer = MiMallocByteBufAllocator.DEFAULT.directBuffer(1 << 20);
      assertThat(SERVER.getAttribute(only("direct"), "LiveBytes")).isEqualTo(1L << 20);
      buffer.release();
    }
  }

  @Test
  void withoutTheModuleOfJmxTheAllocatorWorksAndAWarningSaysSo() {
    OtherJvm jvm =
        OtherJvm.run(
            WithoutJmx.class,
            "--limit-modules=java.base,java.logging,jdk.unsupported,java.instrument");
    assertThat(jvm.assertSucceeded().output().lines().filter(line -> line.startsWith("WARNING")))
        .singleElement()
        .asString()
        .contains("java.management");
  }

  static final class WithoutJmx {
    public static void main(String[] args) {
      PrintedLog.begin();
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.builder().jmx(true).build();
      if (!allocator.directBuffer(100).release()) {
        throw new AssertionError("not released");
      }
      allocator.close();
    }
  }

  @Test
  void afterCloseNothingKeepsTheClassLoader() {
    OtherJvm.run(InAnotherClassLoader.class).assertSucceeded();
  }

  /** In a JVM of its own: where Flight Recorder is in use, less is left to it. */
  static final class InAnotherClassLoader {
    public static void main(String[] args) throws Exception {
      PlatformDependent.hasUnsafe(); // if not, Netty keeps an exception and so the classes below it
      WeakReference<ClassLoader> loader = closeInAnotherClassLoader();
      Patience.awaitCleared(List.of(loader));
      if (FlightRecorder.isInitialized()) {
        throw new AssertionError("Flight Recorder is in use");
      }
    }
  }

  private static WeakReference<ClassLoader> closeInAnotherClassLoader() throws Exception {
    ClassLoader loader = new LibraryLoader();
    Class<?> program = loader.loadClass(OpenAndClose.class.getName());
    assertThat(program.getClassLoader()).isSameAs(loader);
    program.getMethod("run").invoke(null);
    return new WeakReference<>(loader);
  }

  /** Has a copy of the library, but Netty from its parent. */
  private static final class LibraryLoader extends URLClassLoader {
    LibraryLoader() {
      super(
          new URL[] {
            MiMallocByteBufAllocator.class.getProtectionDomain().getCodeSource().getLocation(),
            io.github.mimalloc4j.core.heap.Heap.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation(),
            OpenAndClose.class.getProtectionDomain().getCodeSource().getLocation()
          },
          ManagementBeansTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.github.mimalloc4j.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }

  /** Is loaded by another class loader. */
  public static final class OpenAndClose {
    private OpenAndClose() {}

    public static void run() throws Exception {
      MiMallocByteBufAllocator allocator = newAllocator();
      ByteBuf buffer = allocator.directBuffer(100);
      if (!SERVER.getAttribute(only("direct"), "Allocations").equals(1L)) {
        throw new AssertionError("the bean is not there");
      }
      buffer.release();
      allocator.close();
    }
  }

  private static MiMallocByteBufAllocator newAllocator() {
    return MiMallocByteBufAllocator.builder().trimDelayMillis(0).jmx(true).build();
  }

  private static ObjectName only(String kind) throws Exception {
    return names(kind).iterator().next();
  }

  private static Set<ObjectName> names(String kind) throws Exception {
    Set<ObjectName> names = new HashSet<>(names());
    names.removeIf(name -> !name.getKeyProperty("memory").equals(kind));
    return names;
  }

  private static Set<ObjectName> names() throws Exception {
    return SERVER.queryNames(new ObjectName("io.github.mimalloc4j:*"), null);
  }

  private static ObjectName named(int id, String kind) throws Exception {
    return new ObjectName(
        "io.github.mimalloc4j:type=MiMallocByteBufAllocator,id=" + id + ",memory=" + kind);
  }
}
