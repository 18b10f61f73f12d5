package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.trace.ThreadRole;
import io.github.mimalloc4j.microbench.trace.TraceFile;
import io.github.mimalloc4j.microbench.trace.TraceOperation;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A trace in the memory of the JVM that replays it: what each lane does, and which buffers go from
 * lane to lane. A buffer goes when the lane of its next operation is another one.
 */
final class Program {
  static final int DIRECT = 1 << 2;

  /** A buffer's way: the operations before and after it, by their numbers in their lanes. */
  private record Way(int sending, int receiving) {}

  private record Pair(int from, int to) {}

  /** Goes through a trace and fills the lanes. */
  private static final class Loader {
    final List<Lane> lanes;
    final long liveBefore;
    final List<Deque<Integer>> freeSlots = new ArrayList<>();
    final Map<Pair, List<Way>> ways = new HashMap<>();
    final int[] laneOf;
    final int[] slotOf;
    final int[] lastOf;
    int order;

    Loader(List<Lane> lanes, int slots, long liveBefore) {
      this.lanes = lanes;
      this.liveBefore = liveBefore;
      lanes.forEach(lane -> freeSlots.add(new ArrayDeque<>()));
      laneOf = new int[slots];
      slotOf = new int[slots];
      lastOf = new int[slots];
    }

    void add(TraceOperation operation, long nanos, int to, int buffer, int size, boolean direct) {
      Lane lane = lanes.get(to);
      int index = lane.count++;
      lane.prologue += order < liveBefore ? 1 : 0;
      lane.orders[index] = order++;
      lane.nanos[index] = nanos;
      lane.what[index] = (byte) (operation.ordinal() | (direct ? DIRECT : 0));
      lane.sizes[index] = size;
      if (operation == TraceOperation.ALLOCATE) {
        laneOf[buffer] = to;
        slotOf[buffer] = newSlot(lane);
      } else if (laneOf[buffer] != to) {
        Lane before = lanes.get(laneOf[buffer]);
        before.to[lastOf[buffer]] = (short) to;
        lane.from[index] = (short) before.number;
        ways.computeIfAbsent(new Pair(before.number, to), unknown -> new ArrayList<>())
            .add(new Way(lastOf[buffer], index));
        freeSlots.get(before.number).add(slotOf[buffer]);
        laneOf[buffer] = to;
        slotOf[buffer] = newSlot(lane);
      }
      lane.slots[index] = slotOf[buffer];
      lastOf[buffer] = index;
      if (operation == TraceOperation.RELEASE) {
        freeSlots.get(to).add(slotOf[buffer]);
      }
    }

    private int newSlot(Lane lane) {
      Integer free = freeSlots.get(lane.number).pollLast();
      return free != null ? free : lane.slotCount++;
    }

    /** Numbers the buffers of each way in the order in which they are sent. */
    void numberArrivals() {
      ways.forEach(
          (pair, all) -> {
            all.sort(Comparator.comparingInt(Way::sending));
            Lane receiver = lanes.get(pair.to());
            for (int i = 0; i < all.size(); i++) {
              receiver.arrivals[all.get(i).receiving()] = i;
            }
          });
    }
  }

  final List<Lane> lanes;

  /** By the numbers of the sender and the receiver. */
  final Handover[][] handovers;

  private Program(List<Lane> lanes, Handover[][] handovers) {
    this.lanes = lanes;
    this.handovers = handovers;
  }

  static Program load(Path trace) throws IOException {
    TraceSummary summary = TraceFile.summary(trace);
    List<ThreadRole> roles = summary.lanes();
    int[] sizes = new int[roles.size()];
    TraceFile.visit(trace, (operation, nanos, lane, slot, size, direct) -> sizes[lane]++);
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      lanes.add(new Lane(i, roles.get(i), sizes[i]));
    }
    Loader loader = new Loader(lanes, summary.slots(), summary.counts().liveBefore());
    TraceFile.visit(trace, loader::add);
    loader.numberArrivals();
    Handover[][] handovers = new Handover[sizes.length][sizes.length];
    loader.ways.keySet().forEach(pair -> handovers[pair.from()][pair.to()] = new Handover());
    return new Program(lanes, handovers);
  }
}
