package io.github.mimalloc4j.microbench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifetimesTest {
  private static final int STEPS = 200_000;

  @Test
  void buffersAreReleasedWhenTheirTimeHasCome() {
    Lifetimes lifetimes = new Lifetimes(SizePattern.of("3"), 1);
    List<ByteBuf> buffers = hold(lifetimes, 10);

    assertThat(buffers.stream().map(ByteBuf::refCnt)).containsExactly(0, 0, 0, 0, 0, 0, 0, 1, 1, 1);
    assertThat(lifetimes.liveBytes()).isEqualTo(3 * 16);
    lifetimes.releaseAll();
    assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 0);
    assertThat(lifetimes.liveBytes()).isZero();
  }

  @Test
  void scriptGoesRoundWithoutLosingAny() {
    Lifetimes lifetimes = new Lifetimes(SizePattern.load("request.lifetimes"), 1);
    List<ByteBuf> buffers = hold(lifetimes, STEPS);

    long live = buffers.stream().filter(buffer -> buffer.refCnt() > 0).count();
    assertThat(lifetimes.liveBytes()).isEqualTo(16 * live);
    assertThat((double) live)
        .as("the mean lifetime")
        .isBetween(
            0.8 * SizePattern.load("request.lifetimes").mean(),
            1.2 * SizePattern.load("request.lifetimes").mean());
    lifetimes.releaseAll();
    assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 0);
  }

  @Test
  void tooLongLifetimesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Lifetimes(SizePattern.of("65536"), 1))
        .withMessage("a lifetime of 65536 steps is too long");
  }

  private static List<ByteBuf> hold(Lifetimes lifetimes, int count) {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteBuf buffer = Unpooled.buffer(16);
      buffers.add(buffer);
      lifetimes.hold(buffer);
    }
    return buffers;
  }
}
