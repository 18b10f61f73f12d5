package io.github.mimalloc4j.core.heap;

/** An {@link Upkeep} as the races see it. */
record RealUpkeep(Upkeep upkeep) implements UpkeepView {

  @Override
  public void request() {
    upkeep.request();
  }

  @Override
  public boolean isRequested() {
    return upkeep.isRequested();
  }

  @Override
  public void run() {
    upkeep.run();
  }
}
