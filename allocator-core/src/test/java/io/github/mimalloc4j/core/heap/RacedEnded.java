package io.github.mimalloc4j.core.heap;

import java.util.concurrent.RejectedExecutionException;

/**
 * Upkeep of a thread whose executor refuses for good. It is asked for while who was told of an
 * earlier request leaves that to the owner, and while the owner looks.
 */
public final class RacedEnded {

  private final Upkeep upkeep = new Upkeep(new Ended(), 1, () -> {}, () -> {}, () -> told = true);

  private volatile boolean told;
  private volatile boolean reason;
  private boolean seen;

  /**
   * Makes one.
   *
   * @param wanted whether it was asked for, and who was told has not come yet; else it is at rest
   */
  public RacedEnded(boolean wanted) {
    upkeep.request();
    if (!wanted) {
      leaveToOwner();
      look();
    }
  }

  /** What another thread does, or the owner itself before it looks. */
  public void ask() {
    reason = true;
    upkeep.request();
  }

  /** What is done by who was told. */
  public void leaveToOwner() {
    told = false;
    upkeep.requestRefused();
  }

  /** What the owner does when it looks for a page. */
  public void look() {
    if (upkeep.takeDue()) {
      seen |= reason;
    }
  }

  /**
   * At rest: whether the reason was seen, or will be, since who was told comes, and then the owner.
   */
  public boolean isSeenOrWillBe() {
    if (!seen && told) {
      leaveToOwner();
    }
    look();
    return seen;
  }

  private static final class Ended implements UpkeepExecutor {
    @Override
    public void execute(UpkeepTask task, long delayMillis) {
      throw new RejectedExecutionException("the executor has ended");
    }

    @Override
    public boolean isEnding() {
      return true;
    }
  }
}
