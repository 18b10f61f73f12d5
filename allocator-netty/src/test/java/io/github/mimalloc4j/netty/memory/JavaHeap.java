package io.github.mimalloc4j.netty.memory;

import org.openjdk.jol.info.GraphLayout;

/** What objects there are, by walks over everything that is reachable. */
public final class JavaHeap {

  private JavaHeap() {}

  /** The objects of the class that can be reached from {@code root}. */
  public static long countOf(Class<?> type, Object root) {
    return GraphLayout.parseInstance(root).getClassCounts().count(type);
  }

  /** The bytes of all objects that can be reached from {@code root}. */
  static long bytes(Object root) {
    return GraphLayout.parseInstance(root).totalSize();
  }
}
