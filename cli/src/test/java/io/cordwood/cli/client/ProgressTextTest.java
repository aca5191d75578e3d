package io.cordwood.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is said of how far a search has come. */
final class ProgressTextTest {
  private static final long BEGAN = Long.MAX_VALUE - 5; // the clock may well overflow

  private final ProgressText text = new ProgressText(BEGAN);

  private String at(double seconds, double bytesDone, double bytes) {
    var progress = new JsonProgress(3, (long) bytes, (long) bytesDone);
    return text.of(progress, BEGAN + (long) (seconds * TimeUnit.SECONDS.toNanos(1)));
  }

  @Test
  void speedIsThatOfTheLastSeconds() {
    assertThat(at(1, 4e9, 100e9)).isEqualTo("4% of 100 GB, 4.00 GB/s, 24 s left, 3 nodes");
    assertThat(at(2, 8e9, 100e9)).isEqualTo("8% of 100 GB, 4.00 GB/s, 23 s left, 3 nodes");
    assertThat(at(5.5, 10e9, 100e9)).startsWith("10% of 100 GB, 1.33 GB/s, 68 s left");
    assertThat(at(60, 99.9e9, 100e9)).startsWith("99% of 100 GB");
    assertThat(at(66, 99.9e9, 100e9)).isEqualTo("99% of 100 GB, 0.00 GB/s, 3 nodes");
    assertThat(at(67, 100e9, 100e9)).startsWith("100% of 100 GB");
  }

  @Test
  void amountsAndTimesReadWell() {
    assertThat(at(1, 0, 0)).isEqualTo("0% of 0 B, 0.00 GB/s, 3 nodes");
    assertThat(at(2, 0, 1_234)).startsWith("0% of 1.2 kB, ");
    assertThat(at(3, 3e6, 1.26e12)).startsWith("0% of 1.3 TB, 0.00 GB/s, 350 h 0 min left");
    var large = new JsonProgress(1, 50_000_000_000_000L, 12_000_000_000L);
    assertThat(new ProgressText(0).of(large, TimeUnit.SECONDS.toNanos(1)))
        .isEqualTo("0% of 50 TB, 12 GB/s, 70 min left, 1 node");
  }

  @Test
  void itIsReadOutOfALine() throws IOException {
    String line =
        "{\"progress\":{\"nodes\":2,\"blocks\":9,\"blocks_done\":3,"
            + "\"bytes\":90,\"bytes_done\":30,\"matches\":1}}";
    assertThat(JsonProgress.of(line)).isEqualTo(new JsonProgress(2, 90, 30));
  }
}
