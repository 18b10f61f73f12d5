package io.github.mimalloc4j.core.heap;

/**
 * What the races see of a {@link Heap} with one page, so that a broken one can take its place.
 * Blocks have numbers. Who is the holder is up to the race: the heap believes it, as long as
 * assertions are off.
 */
public interface HeapView {

  /** What {@link #allocate} returns if the page has nothing that the heap knows of. */
  int NONE = -1;

  /** Takes a block of the page. The holder only. */
  int allocate();

  /** Releases a block. The owner only. */
  void release(int block);

  /** Releases a block. Any other thread. */
  void releaseElsewhere(int block);

  /** Ends the first owner's ownership. The owner, or anyone as if it were found dead. */
  void abandon();

  /** Makes the calling thread the owner of a heap that has none. */
  boolean adopt();

  /** Collects, and gives the page back if it is empty. The holder only. */
  void trim();

  /** Runs the heap's upkeep if it was asked for; returns whether it was. The owner only. */
  boolean runUpkeep();

  /** Takes the lock for a moment and does what is due then. False if somebody else has it. */
  boolean visit();

  /** As {@link #allocate} under the lock, waiting for it. */
  int allocateShared();

  /** Whether a notice waits in the mailbox. */
  boolean hasMail();

  /** How often the page's slices were given back. */
  int timesGivenBack();
}
