package io.github.mimalloc4j.microbench.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The order in which subjects are measured directly after each other, so that a disturbance of the
 * machine rarely affects only one of them.
 */
public final class Turns {
  private Turns() {}

  /** Returns all subjects. Each round, counted from 0, begins with the next one. */
  public static <T> List<T> of(List<T> subjects, int round) {
    List<T> order = new ArrayList<>(subjects);
    Collections.rotate(order, -round);
    return order;
  }
}
