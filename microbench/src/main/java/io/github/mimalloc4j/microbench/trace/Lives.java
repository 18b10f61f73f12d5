package io.github.mimalloc4j.microbench.trace;

import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the lives of buffers from a recording's events in the order of time.
 *
 * <p>A buffer is found by its address, and where events do not tell that, by its shape: {@link
 * LivesByShape}. A reallocation is followed by an allocation in the same thread, which tells where
 * the buffer is then.
 */
final class Lives {
  /** For an event that nothing is to be done for in a replay. */
  static final int NOTHING = -1;

  /** A release that the recording lacks, and before which event it must have been. */
  record MissingRelease(int beforeEvent, int slot, int thread) {}

  /** A buffer that was live when the recording began, and which thread used it first. */
  record LiveBefore(int slot, int thread, int size, boolean direct) {}

  /** A buffer between the two events of a reallocation, and where it was. */
  private record Growing(Life life, int newCapacity, Place place) {}

  /** By address, or by shape where that is not known. */
  private record Place(boolean located, long address, int shape) {}

  /** Stands where a buffer was that has been released. */
  private static final Life GONE = new Life(NOTHING, NOTHING, 0, false, 0);

  private final BufferEvents events;
  private final boolean[] trusted;
  private final Histograms histograms;
  private final LongObjectMap<Life> byAddress = new LongObjectHashMap<>();
  private final LivesByShape byShape = new LivesByShape();
  private final Map<Integer, Growing> growing = new HashMap<>();
  private final Deque<Integer> freeSlots = new ArrayDeque<>();

  final List<MissingRelease> missing = new ArrayList<>();
  final List<LiveBefore> before = new ArrayList<>();

  /** Of the event at hand: the slot of its buffer. */
  private int slotNow;

  private int slots;
  private int located;
  private long allocations;
  private long releases;
  private long reallocations;
  private long unknownReleases;
  private long withoutAddress;
  private long direct;

  private Lives(BufferEvents events, int[] order, Histograms histograms) {
    this.events = events;
    this.histograms = histograms;
    trusted = AddressTrust.of(events, order);
  }

  /** Goes through the events. */
  static Lives of(BufferEvents events, int[] order, Histograms histograms) {
    Lives lives = new Lives(events, order, histograms);
    for (int event : order) {
      lives.slotNow = NOTHING;
      lives.take(event);
      events.setOutcome(event, lives.slotNow);
    }
    return lives;
  }

  /** Which buffer an event is about: a number below {@link #slots}, or {@link #NOTHING}. */
  int slot(int event) {
    return (int) events.outcome(event);
  }

  /** The capacity that a buffer came to have in the memory that this event gave it; 0 if none. */
  int grownTo(int event) {
    long outcome = events.outcome(event);
    return outcome == NOTHING ? 0 : (int) (outcome >>> Integer.SIZE);
  }

  /** The most buffers that are live at the same time, and a few more. */
  int slots() {
    return slots;
  }

  LifeCounts counts() {
    long peak = histograms.liveBytes().stream().mapToLong(Long::longValue).max().orElse(0);
    return new LifeCounts(
        allocations,
        releases,
        reallocations,
        before.size(),
        located + byShape.count() + growing.size(),
        unknownReleases,
        missing.size(),
        withoutAddress,
        direct,
        peak,
        histograms.peakOnHeap());
  }

  private void take(int event) {
    int thread = events.thread(event);
    Growing moved = growing.isEmpty() ? null : growing.remove(thread);
    boolean allocated = events.kind(event) == BufferEvents.Kind.ALLOCATE;
    if (moved != null && allocated && events.size(event) == moved.newCapacity()) {
      place(moved.life(), placeOf(event), event);
      return;
    }
    if (moved != null) {
      // It failed, or its allocation was dropped: the buffer is where it was, or nobody knows
      // where.
      place(moved.life(), moved.place(), event);
    }
    switch (events.kind(event)) {
      case ALLOCATE -> allocate(event, thread);
      case FREE -> release(event, thread);
      case REALLOCATE -> reallocate(event, thread);
    }
  }

  private void allocate(int event, int thread) {
    int size = events.size(event);
    allocations++;
    direct += events.direct(event) ? 1 : 0;
    histograms.block(size);
    Life life = new Life(newSlot(), thread, events.time(event), false, size);
    slotNow = life.slot;
    life.event = event;
    withoutAddress += isLocated(event) ? 0 : 1;
    place(life, placeOf(event), event);
  }

  private Place placeOf(int event) {
    return new Place(isLocated(event), events.address(event), events.shape(event));
  }

  /** Notes where a buffer is from an event on. */
  private void place(Life life, Place place, int now) {
    if (!place.located()) {
      byShape.add(place.shape(), life);
      return;
    }
    Life old = byAddress.put(place.address(), life);
    located++;
    if (old != null && old != GONE) {
      located--;
      missing.add(new MissingRelease(now, old.slot, old.lastThread));
      freeSlots.addLast(old.slot);
    }
  }

  private void release(int event, int thread) {
    releases++;
    Life life = remove(event, thread);
    if (life == null) {
      return;
    }
    slotNow = life.slot;
    grow(life, event);
    if (!life.before) {
      boolean byOther = thread != life.allocatingThread;
      histograms.lifetime(events.time(event) - life.since, byOther);
    }
    freeSlots.addLast(life.slot);
  }

  private void reallocate(int event, int thread) {
    reallocations++;
    Life life = remove(event, thread);
    if (life == null) {
      return;
    }
    slotNow = life.slot;
    grow(life, event);
    int capacity = events.newCapacity(event);
    histograms.block(capacity);
    life.size = capacity;
    life.event = event;
    life.lastThread = thread;
    growing.put(thread, new Growing(life, capacity, placeOf(event)));
  }

  /** Takes the buffer that an event is about from where it is; null if that was lost. */
  private @Nullable Life remove(int event, int thread) {
    Life life;
    if (isLocated(event)) {
      life = byAddress.put(events.address(event), GONE);
      if (life == GONE) {
        unknownReleases++;
        return null;
      }
      located -= life == null ? 0 : 1;
    } else {
      life = byShape.take(events.shape(event), events.size(event), thread);
    }
    return life == null ? liveBefore(event, thread) : life;
  }

  private Life liveBefore(int event, int thread) {
    int size = events.size(event);
    // A slot that nobody had: it is taken from the beginning on.
    Life life = new Life(slots++, thread, events.time(event), true, size);
    life.event = NOTHING;
    before.add(new LiveBefore(life.slot, thread, size, events.direct(event)));
    return life;
  }

  /**
   * When it grew is not recorded. It is put to the beginning: buffers grow while they are filled.
   */
  private void grow(Life life, int event) {
    int size = events.size(event);
    if (size > life.size && life.event != NOTHING) {
      events.setOutcome(life.event, (long) size << Integer.SIZE | life.slot);
      life.size = size;
    }
  }

  private boolean isLocated(int event) {
    return trusted[events.allocator(event)] && events.address(event) != 0;
  }

  private int newSlot() {
    Integer free = freeSlots.pollLast();
    return free != null ? free : slots++;
  }
}
