package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The sampled buffers of an allocator that are in use, and the profile made from them.
 *
 * <p>Thread-safe. A thread adds a sample while it has the block to itself, and the thread that
 * releases the buffer last removes it. Only the set is shared.
 */
public final class LiveBuffers {

  private static final double DOUBLE_UNIT = 0x1.0p-53;

  private final long sampleBytes;
  private final Sampler sampler;
  private final Set<LiveBuffer> live;

  /**
   * Creates an empty set.
   *
   * @param sampleBytes the mean number of allocated bytes from one sample to the next, 1 or more
   */
  public LiveBuffers(long sampleBytes) {
    this(sampleBytes, ConcurrentHashMap.newKeySet());
  }

  LiveBuffers(long sampleBytes, Set<LiveBuffer> live) {
    this.live = live;
    this.sampleBytes = sampleBytes;
    sampler = new Sampler(sampleBytes);
  }

  /** Samples a block at random. Returns null for a block that is not sampled, as most are. */
  @Nullable LiveBuffer sample(MiMallocByteBuf block) {
    int bytes = block.blockBytes();
    double uniform = (ThreadLocalRandom.current().nextLong() >>> 11) * DOUBLE_UNIT;
    return sampler.takes(bytes, uniform) ? add(block.isDirect(), bytes) : null;
  }

  /** Returns null if there is no Java heap for a sample. */
  private @Nullable LiveBuffer add(boolean direct, int bytes) {
    LiveBuffer sample = null;
    try {
      sample = new LiveBuffer(direct, bytes);
      live.add(sample);
      return sample;
    } catch (VirtualMachineError | LinkageError e) { // the buffer matters more than its sample
      if (sample != null) {
        remove(sample);
      }
      return null;
    }
  }

  /** Throws nothing: what the buffer's release does otherwise matters more than its sample. */
  void remove(LiveBuffer sample) {
    try {
      live.remove(sample);
    } catch (VirtualMachineError e) { // a map counts after it has removed, which may need memory
    }
  }

  /** Returns the current profile. Slow, but delays no other thread. */
  public LiveProfile profile() {
    long now = System.nanoTime();
    Map<Key, Sum> sums = new HashMap<>();
    for (LiveBuffer sample : live) {
      StackTraceElement[] frames = sample.frames();
      String place = frames.length == 0 ? "unknown" : LiveProfile.Site.text(frames[0]);
      Key key = new Key(place, sample.direct);
      Sum sum = sums.get(key);
      if (sum == null) {
        sum = new Sum(sample);
        sums.put(key, sum);
      }
      sum.add(sample, 1 / sampler.probability(sample.blockBytes));
    }
    List<LiveProfile.Site> sites = new ArrayList<>();
    for (Map.Entry<Key, Sum> each : sums.entrySet()) {
      sites.add(each.getValue().site(each.getKey(), now));
    }
    sites.sort(new MostBytesFirst());
    return new LiveProfile(sampleBytes, sites);
  }

  private record Key(String place, boolean direct) {}

  /** Adds up the samples of one site. */
  private static final class Sum {

    private double bytes;
    private double buffers;
    private int samples;
    private LiveBuffer oldest;

    Sum(LiveBuffer first) {
      oldest = first;
    }

    void add(LiveBuffer sample, double weight) {
      bytes += sample.blockBytes * weight;
      buffers += weight;
      samples++;
      if (sample.allocatedNanos - oldest.allocatedNanos < 0) {
        oldest = sample;
      }
    }

    LiveProfile.Site site(Key key, long now) {
      return new LiveProfile.Site(
          key.place,
          key.direct,
          Math.round(bytes),
          Math.round(buffers),
          samples,
          Math.max(0, now - oldest.allocatedNanos) / 1_000_000,
          oldest.thread,
          List.of(oldest.frames()));
    }
  }

  private static final class MostBytesFirst implements Comparator<LiveProfile.Site> {

    @Override
    public int compare(LiveProfile.Site one, LiveProfile.Site other) {
      return Long.compare(other.bytes(), one.bytes());
    }
  }
}
