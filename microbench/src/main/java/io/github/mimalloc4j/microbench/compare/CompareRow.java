package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.access.AccessBenchmark;
import io.github.mimalloc4j.microbench.access.RetainReleaseBenchmark;
import io.github.mimalloc4j.microbench.allocation.AllocateReleaseBenchmark;
import io.github.mimalloc4j.microbench.allocation.AllocationPatternBenchmark;
import io.github.mimalloc4j.microbench.allocation.BatchBenchmark;
import io.github.mimalloc4j.microbench.allocation.GrowthBenchmark;
import io.github.mimalloc4j.microbench.allocation.LifetimesBenchmark;
import io.github.mimalloc4j.microbench.allocation.SizeSweepBenchmark;
import io.github.mimalloc4j.microbench.threads.ForeignReleaseBenchmark;
import io.github.mimalloc4j.microbench.threads.HandOverBenchmark;
import io.github.mimalloc4j.microbench.threads.LarsonServerBenchmark;
import io.github.mimalloc4j.microbench.threads.PlainThreadsBenchmark;
import io.github.mimalloc4j.microbench.threads.StressPhasesBenchmark;
import io.github.mimalloc4j.microbench.threads.TinyBufferBenchmark;
import io.github.mimalloc4j.microbench.threads.VirtualThreadsBenchmark;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A row of the comparison: a benchmark with its parameters, the allocator aside. */
enum CompareRow {
  LIVE_8192(Target.S1, "8,192 live, direct", replacing(), "live=8192"),
  HEAP_8192(Target.S2, "8,192 live, heap", replacing(), "kind=HEAP", "live=8192"),
  ONCE_256(Target.S4, "256 B at once", atOnce(), "size=256"),
  ONCE_16639(Target.S4, "16,639 B at once", atOnce(), "size=16639"),

  LIVE_128(Target.S3, "128 live, ends written", replacing(), "live=128", "touch=ENDS"),
  LIVE_1024(Target.S3, "1,024 live, ends written", replacing(), "live=1024", "touch=ENDS"),
  LIVE_65536(Target.S3, "65,536 live, ends written", replacing(), "live=65536", "touch=ENDS"),
  LIVE_HTTP(Target.S3, "8,192 live, `HTTP_SERVICE`", replacing(), "sizes=HTTP_SERVICE"),
  LIVE_RPC(Target.S3, "8,192 live, `RPC`", replacing(), "sizes=RPC"),
  LIVE_MIXED(Target.S3, "8,192 live, `MIXED`", replacing(), "sizes=MIXED"),

  ONE_TO_ONE(Target.S5, "one thread to one", handing("oneToOne")),
  MANY_TO_ONE(Target.S5, "three threads to one", handing("manyToOne")),
  ONE_TO_MANY(Target.S5, "one thread to three", handing("oneToMany")),

  PLAIN_ONCE(Target.S6, "two plain threads, at once", plainly("allocateAndRelease")),
  PLAIN_LIVE(Target.S6, "two plain threads, 8,192 live each", plainly("replaceRandomSlot")),

  VIRTUAL(
      Target.S7,
      "1,000 virtual threads, park included",
      new Method(VirtualThreadsBenchmark.class, "allocateParkRelease")) {
    @Override
    boolean runsHere() {
      return Runtime.version().feature() >= 21;
    }
  },

  SIZE_1(Target.S8, "1 B", anySize(), "size=1"),
  SIZE_9(Target.S8, "9 B", anySize(), "size=9"),
  SIZE_16(Target.S8, "16 B", anySize(), "size=16"),
  SIZE_128(Target.S8, "128 B", anySize(), "size=128"),
  SIZE_512(Target.S8, "512 B", anySize(), "size=512"),
  SIZE_4096(Target.S8, "4 KiB", anySize(), "size=4096"),
  SIZE_32768(Target.S8, "32 KiB", anySize(), "size=32768"),
  SIZE_131072(Target.S8, "128 KiB", anySize(), "size=131072"),
  SIZE_262144(Target.S8, "256 KiB", anySize(), "size=262144"),
  SIZE_1048576(Target.S8, "1 MiB", anySize(), "size=1048576"),
  SIZE_2097152(Target.S8, "2 MiB", anySize(), "size=2097152"),

  GET_LONG(Target.S9, "`getLong`", access("getLong")),
  WRITE_LONG(Target.S9, "`writeLong`", access("writeLong")),
  SET_BYTES(Target.S9, "`setBytes` of an array", access("setBytes")),
  SET_BYTES_OF_BUFFER(Target.S9, "`setBytes` of a buffer", access("setBytesOfBuffer")),
  WRITE_CHARS(Target.S9, "`writeCharSequence`", access("writeCharSequence")),
  FOR_EACH_BYTE(Target.S9, "`forEachByte`", access("forEachByte")),
  INTERNAL_NIO_BUFFER(Target.S9, "`internalNioBuffer`", access("internalNioBuffer")),

  RETAIN(Target.S10, "`retain`, `release`", counting("alone")),
  RETAIN_CONTENDED(Target.S10, "`retain`, `release`, two threads", counting("contended")),
  RETAINED_SLICE(Target.S10, "`retainedSlice`, `release`", counting("retainedSlice")),

  GROWTH_4096(Target.GROWTH, "growth to 4 KiB", growing(), "size=4096"),
  GROWTH_65536(Target.GROWTH, "growth to 64 KiB", growing(), "size=65536"),

  LIFETIMES(
      Target.SUITES,
      "`LifetimesBenchmark`, all written",
      new Method(LifetimesBenchmark.class, "allocateAndReleaseDue"),
      "touch=ALL"),
  BATCH(
      Target.SUITES,
      "`BatchBenchmark`, other thread",
      new Method(BatchBenchmark.class, "otherThread")),
  FOREIGN_RELEASE(
      Target.SUITES,
      "`ForeignReleaseBenchmark`",
      new Method(ForeignReleaseBenchmark.class, "replaceRandomSlot")),
  LARSON_SERVER(
      Target.SUITES,
      "`LarsonServerBenchmark`",
      new Method(LarsonServerBenchmark.class, "generation")),
  STRESS_PHASES(
      Target.SUITES, "`StressPhasesBenchmark`", new Method(StressPhasesBenchmark.class, "phase")),
  TINY_BUFFER(
      Target.SUITES,
      "`TinyBufferBenchmark`",
      new Method(TinyBufferBenchmark.class, "replaceAndWrite"));

  /** The rows that a user is most likely to ask for, which take two minutes. */
  static final List<CompareRow> MAIN = List.of(LIVE_8192, HEAP_8192, ONCE_256, ONCE_16639);

  /** A JMH benchmark, or a group of them. */
  private record Method(Class<?> benchmark, String name) {}

  final Target target;

  final String work;

  private final Method method;
  private final List<String> parameters;

  CompareRow(Target target, String work, Method method, String... parameters) {
    this.target = target;
    this.work = work;
    this.method = method;
    this.parameters = List.of(parameters);
  }

  private static Method replacing() {
    return new Method(AllocationPatternBenchmark.class, "replaceRandomSlot");
  }

  private static Method atOnce() {
    return new Method(AllocateReleaseBenchmark.class, "allocateAndRelease");
  }

  private static Method handing(String group) {
    return new Method(HandOverBenchmark.class, group);
  }

  private static Method plainly(String name) {
    return new Method(PlainThreadsBenchmark.class, name);
  }

  private static Method anySize() {
    return new Method(SizeSweepBenchmark.class, "allocateAndRelease");
  }

  private static Method access(String name) {
    return new Method(AccessBenchmark.class, name);
  }

  private static Method counting(String name) {
    return new Method(RetainReleaseBenchmark.class, name);
  }

  private static Method growing() {
    return new Method(GrowthBenchmark.class, "writeBytes");
  }

  /** All rows that this JVM can run. */
  static List<CompareRow> all() {
    return Arrays.stream(values()).filter(CompareRow::runsHere).toList();
  }

  /** The name by which a user asks for this row. */
  String optionName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean runsHere() {
    return true;
  }

  /** Whether enough is alive for a ratio of used to live memory to say anything. */
  boolean hasLiveSet() {
    return method.benchmark == AllocationPatternBenchmark.class;
  }

  /** Whether ready-made buffers are the floor of what is possible. */
  boolean hasFloor() {
    return hasLiveSet() || method.benchmark == AllocateReleaseBenchmark.class;
  }

  Class<?> benchmark() {
    return method.benchmark;
  }

  /** A regular expression that JMH finds this benchmark by, and no other. */
  String pattern() {
    return "^" + Pattern.quote(method.benchmark.getName() + "." + method.name) + "$";
  }

  /** Names and values, each as {@code name=value}. */
  List<String> parameters() {
    return parameters;
  }

  /** Arguments that make JMH measure this row alone, with its own, longer timings. */
  String jmhArguments() {
    return parameters.stream()
        .map(each -> " -p " + each)
        .collect(Collectors.joining("", method.benchmark.getSimpleName() + "." + method.name, ""));
  }
}
