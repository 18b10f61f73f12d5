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
  LIVE_8192(Target.S1, "8,192 live, direct", "live=8192"),
  HEAP_8192(Target.S2, "8,192 live, heap", "kind=HEAP", "live=8192"),
  ONCE_256(
      Target.S4, "256 B at once", AllocateReleaseBenchmark.class, "allocateAndRelease", "size=256"),
  ONCE_16639(
      Target.S4,
      "16,639 B at once",
      AllocateReleaseBenchmark.class,
      "allocateAndRelease",
      "size=16639"),

  LIVE_128(Target.S3, "128 live, ends written", "live=128", "touch=ENDS"),
  LIVE_1024(Target.S3, "1,024 live, ends written", "live=1024", "touch=ENDS"),
  LIVE_65536(Target.S3, "65,536 live, ends written", "live=65536", "touch=ENDS"),
  LIVE_HTTP(Target.S3, "8,192 live, `HTTP_SERVICE`", "sizes=HTTP_SERVICE"),
  LIVE_RPC(Target.S3, "8,192 live, `RPC`", "sizes=RPC"),
  LIVE_MIXED(Target.S3, "8,192 live, `MIXED`", "sizes=MIXED"),

  ONE_TO_ONE(Target.S5, "one thread to one", HandOverBenchmark.class, "oneToOne"),
  MANY_TO_ONE(Target.S5, "three threads to one", HandOverBenchmark.class, "manyToOne"),
  ONE_TO_MANY(Target.S5, "one thread to three", HandOverBenchmark.class, "oneToMany"),

  PLAIN_ONCE(
      Target.S6,
      "two plain threads, at once",
      PlainThreadsBenchmark.class,
      "allocateAndRelease",
      "live=1"),
  PLAIN_LIVE(
      Target.S6,
      "two plain threads, 8,192 live each",
      PlainThreadsBenchmark.class,
      "replaceRandomSlot"),

  VIRTUAL(
      Target.S7,
      "1,000 virtual threads, park included",
      VirtualThreadsBenchmark.class,
      "allocateParkRelease"),

  SIZE_1(Target.S8, "1 B", SizeSweepBenchmark.class, "allocateAndRelease", "size=1"),
  SIZE_9(Target.S8, "9 B", SizeSweepBenchmark.class, "allocateAndRelease", "size=9"),
  SIZE_16(Target.S8, "16 B", SizeSweepBenchmark.class, "allocateAndRelease", "size=16"),
  SIZE_128(Target.S8, "128 B", SizeSweepBenchmark.class, "allocateAndRelease", "size=128"),
  SIZE_512(Target.S8, "512 B", SizeSweepBenchmark.class, "allocateAndRelease", "size=512"),
  SIZE_4096(Target.S8, "4 KiB", SizeSweepBenchmark.class, "allocateAndRelease", "size=4096"),
  SIZE_32768(Target.S8, "32 KiB", SizeSweepBenchmark.class, "allocateAndRelease", "size=32768"),
  SIZE_131072(Target.S8, "128 KiB", SizeSweepBenchmark.class, "allocateAndRelease", "size=131072"),
  SIZE_262144(Target.S8, "256 KiB", SizeSweepBenchmark.class, "allocateAndRelease", "size=262144"),
  SIZE_1048576(Target.S8, "1 MiB", SizeSweepBenchmark.class, "allocateAndRelease", "size=1048576"),
  SIZE_2097152(Target.S8, "2 MiB", SizeSweepBenchmark.class, "allocateAndRelease", "size=2097152"),

  GET_LONG(Target.S9, "`getLong`", AccessBenchmark.class, "getLong"),
  WRITE_LONG(Target.S9, "`writeLong`", AccessBenchmark.class, "writeLong"),
  SET_BYTES(Target.S9, "`setBytes` of an array", AccessBenchmark.class, "setBytes"),
  SET_BYTES_OF_BUFFER(
      Target.S9, "`setBytes` of a buffer", AccessBenchmark.class, "setBytesOfBuffer"),
  WRITE_CHARS(Target.S9, "`writeCharSequence`", AccessBenchmark.class, "writeCharSequence"),
  FOR_EACH_BYTE(Target.S9, "`forEachByte`", AccessBenchmark.class, "forEachByte"),
  INTERNAL_NIO_BUFFER(Target.S9, "`internalNioBuffer`", AccessBenchmark.class, "internalNioBuffer"),

  RETAIN(Target.S10, "`retain`, `release`", RetainReleaseBenchmark.class, "alone"),
  RETAIN_CONTENDED(
      Target.S10, "`retain`, `release`, two threads", RetainReleaseBenchmark.class, "contended"),
  RETAINED_SLICE(
      Target.S10, "`retainedSlice`, `release`", RetainReleaseBenchmark.class, "retainedSlice"),

  GROWTH_4096(Target.GROWTH, "growth to 4 KiB", GrowthBenchmark.class, "writeBytes", "size=4096"),
  GROWTH_65536(
      Target.GROWTH, "growth to 64 KiB", GrowthBenchmark.class, "writeBytes", "size=65536"),

  LIFETIMES(
      Target.SUITES,
      "`LifetimesBenchmark`, all written",
      LifetimesBenchmark.class,
      "allocateAndReleaseDue",
      "touch=ALL"),
  BATCH(Target.SUITES, "`BatchBenchmark`, other thread", BatchBenchmark.class, "otherThread"),
  FOREIGN_RELEASE(
      Target.SUITES,
      "`ForeignReleaseBenchmark`",
      ForeignReleaseBenchmark.class,
      "replaceRandomSlot"),
  LARSON_SERVER(
      Target.SUITES, "`LarsonServerBenchmark`", LarsonServerBenchmark.class, "generation"),
  STRESS_PHASES(Target.SUITES, "`StressPhasesBenchmark`", StressPhasesBenchmark.class, "phase"),
  TINY_BUFFER(Target.SUITES, "`TinyBufferBenchmark`", TinyBufferBenchmark.class, "replaceAndWrite");

  /** The rows that a user is most likely to ask for, which take two minutes. */
  static final List<CompareRow> MAIN = List.of(LIVE_8192, HEAP_8192, ONCE_256, ONCE_16639);

  final Target target;

  final String work;

  final Class<?> benchmark;

  /** Names and values, each as {@code name=value}. */
  final List<String> parameters;

  /** The name of the benchmark's method, or of its group of methods. */
  private final String method;

  /** A row of buffers that are live at the same time. */
  CompareRow(Target target, String work, String... parameters) {
    this(target, work, AllocationPatternBenchmark.class, "replaceRandomSlot", parameters);
  }

  CompareRow(Target target, String work, Class<?> benchmark, String method, String... parameters) {
    this.target = target;
    this.work = work;
    this.benchmark = benchmark;
    this.method = method;
    this.parameters = List.of(parameters);
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
    return target != Target.S7 || Runtime.version().feature() >= 21; // virtual threads
  }

  /** Whether enough is alive for a ratio of used to live memory to say anything. */
  boolean hasLiveSet() {
    return benchmark == AllocationPatternBenchmark.class;
  }

  /** Whether ready-made buffers are the floor of what is possible. */
  boolean hasFloor() {
    return hasLiveSet() || benchmark == AllocateReleaseBenchmark.class;
  }

  /** A regular expression that JMH finds this benchmark by, and no other. */
  String pattern() {
    return "^" + Pattern.quote(benchmark.getName() + "." + method) + "$";
  }

  /** Arguments that make JMH measure this row alone, with its own, longer timings. */
  String jmhArguments() {
    return parameters.stream()
        .map(each -> " -p " + each)
        .collect(Collectors.joining("", benchmark.getSimpleName() + "." + method + "$", ""));
  }
}
