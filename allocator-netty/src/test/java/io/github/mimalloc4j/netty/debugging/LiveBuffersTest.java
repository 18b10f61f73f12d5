package io.github.mimalloc4j.netty.debugging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Samples that cannot be kept or removed: the buffers matter more. */
class LiveBuffersTest {

  /** Counts what it has removed, for which there is no Java heap. */
  private static final class FullAfterRemoval extends HashSet<LiveBuffer> {

    private static final long serialVersionUID = 1;

    @Override
    public boolean remove(Object sample) {
      super.remove(sample);
      throw new OutOfMemoryError("planted");
    }
  }

  @Test
  void theRemovalOfASampleThrowsNothing() {
    Set<LiveBuffer> samples = new FullAfterRemoval();
    LiveBuffer sample = new LiveBuffer(true, 100);
    samples.add(sample);

    new LiveBuffers(1, samples).remove(sample);

    assertThat(samples).isEmpty();
  }
}
