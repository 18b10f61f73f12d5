package io.github.mimalloc4j.core.heap;

/**
 * A trim of a heap's pages in portions, so that it does not keep the holder from its work. Between
 * two portions the holder may do anything.
 *
 * <p>A trim first gives back the large page that is kept, then looks at the posted pages, at all
 * pages that the heap had when it began, and in the end gives back what was retired. See H8 in
 * {@code docs/synchronization.md}.
 *
 * <p>Holder of the heap only.
 */
final class PortionedTrim<B extends Block> {

  private final HeapPages<B> pages;

  /** {@link HeapResources#trimPortion}. */
  private final int portion;

  private boolean underWay;

  /** Whether another trim must follow the current one. */
  private boolean again;

  /** The number of trims that are complete. May wrap around. */
  private int complete;

  /** Whether the current trim has yet to give back the large page that is kept. */
  private boolean keptLargeLeft;

  /** Whether the current trim has yet to take what is in the mailbox, after what was left. */
  private boolean mailToTake;

  /** The current trim has yet to look at the pages with numbers below this one. */
  private int pagesLeft;

  /** How many of the oldest retired pages the current trim then has to give back. */
  private int retiredLeft;

  PortionedTrim(HeapPages<B> pages, int portion) {
    this.pages = pages;
    this.portion = portion;
  }

  /**
   * Begins a trim. If one is under way, another one will follow it, because the caller relies on a
   * trim that begins after its call. (To start again at once would not do: in a busy heap the last
   * pages would never be looked at.)
   *
   * @return what {@link #isComplete} takes
   */
  int begin() {
    if (underWay) {
      again = true;
      return complete + 2;
    }
    underWay = true;
    pages.trimBegins();
    keptLargeLeft = true;
    if (pages.mail() == null) {
      pages.takeMail();
    } else {
      mailToTake = true;
    }
    pagesLeft = pages.table().end();
    retiredLeft = pages.retired().count();
    return complete + 1;
  }

  /**
   * Returns whether a trim is complete that began after a call of {@link #begin}.
   *
   * @param trim what that call has returned
   */
  boolean isComplete(int trim) {
    return !underWay || complete - trim >= 0;
  }

  /**
   * Does a portion of the current trim.
   *
   * @return whether the trim, and those that had to follow it, are complete
   */
  boolean doPortion() {
    int begun = pages.work();
    while (underWay && pages.work() - begun < portion) {
      next();
      pages.worked();
    }
    return !underWay;
  }

  /** Returns whether a trim is under way. */
  boolean isUnderWay() {
    return underWay;
  }

  /** Ends the trim, and does not begin another: all pages were trimmed in one go. */
  void end() {
    complete += 2; // the current one, and one that had to follow it
    underWay = false;
    again = false;
    mailToTake = false;
  }

  /** Returns how many page numbers the trim has yet to look at. For tests. */
  int pagesLeft() {
    return pagesLeft;
  }

  private void next() {
    if (keptLargeLeft) {
      keptLargeLeft = false;
      pages.clearKeptLarge();
    } else if (pages.mail() != null) {
      pages.lookAtMail(true);
    } else if (mailToTake) {
      mailToTake = false;
      pages.takeMail();
    } else if (pagesLeft > 0) {
      pages.lookAt(pages.table().pages()[--pagesLeft]);
      retiredLeft = pages.retired().count();
    } else if (retiredLeft > 0) {
      retiredLeft--;
      pages.trimOldestRetired();
    } else {
      complete++;
      underWay = false;
      if (again) {
        again = false;
        begin();
      }
    }
  }
}
