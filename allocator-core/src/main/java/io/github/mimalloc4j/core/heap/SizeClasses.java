package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Slices;
import java.util.Arrays;

/**
 * The block sizes, and the size of the pages for each. Pure functions of the request.
 *
 * <p>Block sizes are the multiples of 8 up to 64 bytes, then eight per doubling up to 128 KiB, so
 * that above 64 bytes at most one byte in nine of a block is unused. Some sizes in between serve
 * what networks request most: a power of two and a little more for its framing (a TLS record of 16
 * KiB is up to 16,709 bytes).
 *
 * <p>The bin of a request is one load from a table of bytes, indexed in steps of 8 bytes up to 32
 * KiB and of 4 KiB above. There is no branch on the size, which a random mix of sizes would
 * mispredict.
 */
public final class SizeClasses {

  /** The largest request, in bytes, that shares a page with others. */
  public static final int MAX_BLOCK_BYTES = 128 * 1024;

  /** The largest request, in bytes, that {@link #fineBin} accepts. */
  static final int MAX_FINE_BYTES = 32 * 1024;

  /** No bin: the request is too large. */
  static final int NO_BIN = -1;

  private static final int FINE_SHIFT = 3;
  private static final int COARSE_SHIFT = 12;

  /**
   * The minimum bytes of a page, except for the smallest blocks and for the first page of a bin.
   */
  private static final int PAGE_BYTES = 64 * 1024;

  /** A grown page is at most one part in this many of its bin's pages. */
  private static final int GROWTH_SHARE = 16;

  private static final int MAX_GROWN_PAGE_BYTES = 1024 * 1024;

  /** A page is collected in one step of a trim, which must not take long. */
  private static final int MAX_GROWN_PAGE_BLOCKS = 2048;

  /**
   * Pages of larger blocks do not grow: they have few blocks, and while they have few, some become
   * empty.
   */
  private static final int MAX_GROWN_BLOCK_BYTES = 16384 + 512;

  private static final int LINEAR_BYTES = 64;
  private static final int CLASSES_PER_DOUBLING = 8;

  /** Additional sizes: each a multiple of 8 up to 32 KiB, and of 4 KiB above. */
  private static final int[] FRAMED = {4096 + 256, 8192 + 512, 16384 + 512};

  private static final int[] BLOCK_BYTES = allBlockBytes();
  private static final byte[] FINE = bins(MAX_FINE_BYTES, FINE_SHIFT);
  private static final byte[] COARSE = bins(MAX_BLOCK_BYTES, COARSE_SHIFT);
  private static final byte[] FIRST_PAGE_SLICES = new byte[BLOCK_BYTES.length];
  private static final byte[] PAGE_SLICES = new byte[BLOCK_BYTES.length];

  static {
    for (int bin = 0; bin < BLOCK_BYTES.length; bin++) {
      int block = BLOCK_BYTES[bin];
      FIRST_PAGE_SLICES[bin] = (byte) pageSlices(block, Slices.BYTES, 16);
      PAGE_SLICES[bin] =
          (byte) pageSlices(block, block <= LINEAR_BYTES ? Slices.BYTES : PAGE_BYTES, 50);
    }
  }

  private SizeClasses() {}

  /** Returns the number of bins. */
  public static int count() {
    return BLOCK_BYTES.length;
  }

  public static int blockBytes(int bin) {
    return BLOCK_BYTES[bin];
  }

  /**
   * Returns the bin of the smallest blocks that hold the request.
   *
   * @param bytes 0 to {@link #MAX_BLOCK_BYTES}
   */
  public static int bin(int bytes) {
    int bin = fineBin(bytes);
    return bin != NO_BIN ? bin : COARSE[(bytes + (1 << COARSE_SHIFT) - 1) >>> COARSE_SHIFT];
  }

  /** As {@link #bin}, but returns {@link #NO_BIN} for requests above {@link #MAX_FINE_BYTES}. */
  static int fineBin(int bytes) {
    int step = (bytes + (1 << FINE_SHIFT) - 1) >>> FINE_SHIFT;
    return step < FINE.length ? FINE[step] : NO_BIN; // doubles as the array's bounds check
  }

  /** Returns the slices of a bin's first page in a heap: few, since many heaps need few blocks. */
  static int firstPageSlices(int bin) {
    return FIRST_PAGE_SLICES[bin];
  }

  /** Returns the slices of a bin's further pages, while there are few. */
  static int pageSlices(int bin) {
    return PAGE_SLICES[bin];
  }

  /**
   * Returns the slices of another page of a bin that has many already: at most one part in 16 of
   * them, so that it wastes little if its blocks are not needed. Where thousands of blocks are in
   * use, a larger page is exhausted less often, and there are fewer to keep in the processor's
   * caches.
   *
   * @param binBytes the bytes of the bin's pages in the heap
   * @return a multiple of {@link #pageSlices}
   */
  static int grownPageSlices(int bin, long binBytes) {
    int slices = PAGE_SLICES[bin];
    if (BLOCK_BYTES[bin] > MAX_GROWN_BLOCK_BYTES) {
      return slices;
    }
    long most = Math.min(MAX_GROWN_PAGE_BYTES, MAX_GROWN_PAGE_BLOCKS * BLOCK_BYTES[bin]);
    long growth = Math.min(binBytes / GROWTH_SHARE, most) / ((long) slices * Slices.BYTES);
    return slices * (int) Math.max(1, growth);
  }

  private static int[] allBlockBytes() {
    int[] sizes = new int[256];
    int count = 0;
    for (int size = 8; size <= LINEAR_BYTES; size += 8) {
      sizes[count++] = size;
    }
    for (int base = LINEAR_BYTES; base < MAX_BLOCK_BYTES; base *= 2) {
      for (int step = 1; step <= CLASSES_PER_DOUBLING; step++) {
        sizes[count++] = base + base / CLASSES_PER_DOUBLING * step;
      }
    }
    for (int framed : FRAMED) {
      sizes[count++] = framed;
    }
    Arrays.sort(sizes, 0, count);
    return Arrays.copyOf(sizes, count);
  }

  private static byte[] bins(int maxBytes, int shift) {
    byte[] bins = new byte[(maxBytes >>> shift) + 1];
    int bin = 0;
    for (int step = 0; step < bins.length; step++) {
      while (BLOCK_BYTES[bin] < step << shift) {
        bin++;
      }
      bins[step] = (byte) bin;
    }
    return bins;
  }

  /**
   * Returns the slices of a page of at least four blocks: the fewest whose end, which no block
   * fills, is at most one part in {@code tolerance}; or the least wasteful of those that were
   * tried.
   */
  private static int pageSlices(int block, int minBytes, int tolerance) {
    int least = Slices.count(Math.max(minBytes, 4 * block));
    int best = least;
    for (int slices = least; slices <= 4 * least; slices++) {
      if (unused(block, slices) * tolerance <= slices * Slices.BYTES) {
        return slices;
      }
      // unused(slices) / slices < unused(best) / best
      if ((long) unused(block, slices) * best < (long) unused(block, best) * slices) {
        best = slices;
      }
    }
    return best;
  }

  private static int unused(int block, int slices) {
    return slices * Slices.BYTES % block;
  }
}
