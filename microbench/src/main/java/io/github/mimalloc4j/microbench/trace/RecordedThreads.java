package io.github.mimalloc4j.microbench.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The threads that events of buffers are of, numbered from 0 up, and who replays them. */
final class RecordedThreads {
  /**
   * The most threads of a role that a replay has. More event loops than that would be a large
   * machine's; of other threads, those count that are there at the same time.
   */
  static final int MAX_LANES = 64;

  private static final class Thread {
    ThreadRole role;
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    int lane;

    Thread(ThreadRole role) {
      this.role = role;
    }
  }

  private static final class Lane {
    final int number;
    long end;

    Lane(int number, long end) {
      this.number = number;
      this.end = end;
    }
  }

  private final Map<Long, Integer> numbers = new HashMap<>();
  private final List<Thread> threads = new ArrayList<>();

  /** What is known by Flight Recorder's number of the thread; -1 if it is not known yet. */
  int number(long id) {
    return numbers.getOrDefault(id, -1);
  }

  int add(long id, @Nullable String name, @Nullable String group, boolean virtual) {
    int number = threads.size();
    numbers.put(id, number);
    threads.add(new Thread(ThreadRole.of(name, group, virtual)));
    return number;
  }

  void seen(int thread, long time) {
    Thread seen = threads.get(thread);
    seen.first = Math.min(seen.first, time);
    seen.last = Math.max(seen.last, time);
  }

  /** Notes that an allocator keeps memory for this thread alone, as it does for event loops. */
  void hasOwnMemory(int thread) {
    Thread seen = threads.get(thread);
    if (seen.role == ThreadRole.PLAIN) {
      seen.role = ThreadRole.EVENT_LOOP;
    }
  }

  int lane(int thread) {
    return threads.get(thread).lane;
  }

  /**
   * Gives each thread a lane: an event loop one of its own, any other the lane of one that did its
   * last before this one's first. Where lanes run out, threads share one although they overlap.
   *
   * @return the roles of the lanes
   */
  List<ThreadRole> assignLanes() {
    List<ThreadRole> lanes = new ArrayList<>();
    for (ThreadRole role : ThreadRole.values()) {
      PriorityQueue<Lane> own = new PriorityQueue<>(Comparator.comparingLong(lane -> lane.end));
      List<Thread> inOrder =
          threads.stream()
              .filter(thread -> thread.role == role && thread.last != Long.MIN_VALUE)
              .sorted(Comparator.comparingLong(thread -> thread.first))
              .toList();
      for (Thread thread : inOrder) {
        Lane free = own.peek();
        boolean shared =
            free != null
                && (own.size() == MAX_LANES
                    || role != ThreadRole.EVENT_LOOP && free.end < thread.first);
        Lane lane = shared ? own.remove() : new Lane(lanes.size(), thread.last);
        if (!shared) {
          lanes.add(role);
        }
        lane.end = Math.max(lane.end, thread.last);
        thread.lane = lane.number;
        own.add(lane);
      }
    }
    return lanes;
  }

  int count() {
    return threads.size();
  }
}
