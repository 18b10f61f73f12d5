package io.github.mimalloc4j.micrometer;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocatorMetric;
import io.github.mimalloc4j.netty.figures.Figure;
import io.github.mimalloc4j.netty.figures.ProcessFigure;
import io.github.mimalloc4j.netty.figures.Snapshot;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Binds the {@linkplain MiMallocByteBufAllocator#metric() figures} of an allocator to meters. Every
 * meter has a tag {@code memory.type}, {@code direct} or {@code heap}, except those of the process.
 *
 * <pre>{@code
 * new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT).bindTo(registry);
 * }</pre>
 *
 * <p>The number of meters is fixed; size classes have none. Meters read within one second share a
 * snapshot, so a scrape takes only one. A meter never reads the same snapshot twice, so scrapes at
 * the same time may take one for each meter.
 *
 * <p>The registry does not keep the allocator reachable. Once the allocator was garbage-collected,
 * gauges have no value, and counters keep their last one. Thread-safe.
 */
@SuppressWarnings("exports") // of Micrometer, which users of this class have
public final class MiMallocMetrics implements MeterBinder {

  private static final String MEMORY_TYPE = "memory.type";
  private static final String STATE = "state";

  private final MiMallocByteBufAllocatorMetric metric;
  private final Iterable<Tag> tags;
  private final Function<MiMallocByteBufAllocatorMetric, Snapshot> reading;

  /**
   * Creates a binder for an allocator that is the only one in its registries.
   *
   * @param allocator the allocator to measure; registries do not keep it reachable
   */
  public MiMallocMetrics(MiMallocByteBufAllocator allocator) {
    this(allocator, List.of());
  }

  /**
   * Creates a binder.
   *
   * @param allocator the allocator to measure; registries do not keep it reachable
   * @param tags the tags of all meters; a registry identifies meters by name and tags, so each of
   *     several allocators needs a tag of its own
   */
  public MiMallocMetrics(MiMallocByteBufAllocator allocator, Iterable<Tag> tags) {
    this(
        allocator,
        tags,
        metric -> new Snapshot(metric.direct(), metric.heap(), metric.process(), LiveProfile.OFF));
  }

  /** For tests, which count snapshots. The function must not refer to the allocator. */
  MiMallocMetrics(
      MiMallocByteBufAllocator allocator,
      Iterable<Tag> tags,
      Function<MiMallocByteBufAllocatorMetric, Snapshot> reading) {
    this.metric = allocator.metric();
    this.tags = Tags.of(tags);
    this.reading = reading;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Scrape scrape = new Scrape(registry.config().clock(), reading);
    for (Snapshot.Kind kind : Snapshot.Kind.values()) {
      Tags ofKind = Tags.of(tags).and(MEMORY_TYPE, kind.toString());
      for (Figure figure : Figure.values()) {
        // The registry keeps the function strongly, but the metric weakly.
        bind(registry, figure, ofKind, scrape.reader(snapshot -> figure.of(snapshot.of(kind))));
      }
    }
    for (ProcessFigure figure : ProcessFigure.known(metric.process())) {
      bind(registry, figure, scrape.reader(snapshot -> orNaN(figure.of(snapshot.process()))));
    }
  }

  private static double orNaN(long figure) {
    return figure == ProcessStatistics.UNKNOWN ? Double.NaN : figure;
  }

  private void bind(
      MeterRegistry registry,
      ProcessFigure figure,
      ToDoubleFunction<MiMallocByteBufAllocatorMetric> value) {
    if (figure.kind() == ProcessFigure.Kind.BYTES) {
      Gauge.builder(figure.meter(), metric, value)
          .description(figure.description())
          .tags(tags)
          .baseUnit(BaseUnits.BYTES)
          .register(registry);
    } else {
      FunctionCounter.builder(figure.meter(), metric, value)
          .description(figure.description())
          .tags(tags)
          .baseUnit(figure.kind() == ProcessFigure.Kind.COUNT_OF_BYTES ? BaseUnits.BYTES : null)
          .register(registry);
    }
  }

  private void bind(
      MeterRegistry registry,
      Figure figure,
      Tags tags,
      ToDoubleFunction<MiMallocByteBufAllocatorMetric> value) {
    switch (figure.group()) {
      case BYTES ->
          Gauge.builder(figure.meter(), metric, value)
              .description(figure.description())
              .tags(tags)
              .baseUnit(BaseUnits.BYTES)
              .register(registry);
      case THREAD_HEAPS ->
          Gauge.builder(figure.meter(), metric, value)
              .description("Thread heaps: owned by one thread, shared, or abandoned")
              .tags(tags.and(STATE, Figure.words(figure, '.')))
              .register(registry);
      case COUNTS ->
          FunctionCounter.builder(figure.meter(), metric, value)
              .description(figure.description())
              .tags(tags)
              .register(registry);
    }
  }

  /**
   * The snapshot that a registry's meters share, because a registry reads them one by one. Each
   * meter reads a snapshot once; a meter that is read again begins the next scrape with a new
   * snapshot.
   */
  private static final class Scrape {

    /** Longer than a scrape takes, and short enough to wait for a new value. */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Function<MiMallocByteBufAllocatorMetric, Snapshot> reading;
    private @Nullable Snapshot current;
    private long number;
    private long takenNanos;

    Scrape(Clock clock, Function<MiMallocByteBufAllocatorMetric, Snapshot> reading) {
      this.clock = clock;
      this.reading = reading;
    }

    /** Returns the function that a meter reads. */
    ToDoubleFunction<MiMallocByteBufAllocatorMetric> reader(ToDoubleFunction<Snapshot> figure) {
      return new ToDoubleFunction<>() {
        private long seen; // The number of the snapshot read last. Guarded by the scrape.

        @Override
        public double applyAsDouble(MiMallocByteBufAllocatorMetric metric) {
          synchronized (Scrape.this) {
            Snapshot snapshot = after(seen, metric);
            seen = number;
            return figure.applyAsDouble(snapshot);
          }
        }
      };
    }

    /** Returns the current snapshot, or a new one if that has the given number or is too old. */
    private Snapshot after(long seen, MiMallocByteBufAllocatorMetric metric) {
      long now = clock.monotonicTime();
      Snapshot snapshot = current;
      if (snapshot == null || number == seen || now - takenNanos >= MAX_AGE_NANOS) {
        snapshot = reading.apply(metric);
        current = snapshot;
        number++;
        takenNanos = now;
      }
      return snapshot;
    }
  }
}
