package io.cordwood.agent.follow;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Times are read as the library reads them, whichever was read before. */
final class ContainerTimeTest {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

  private final ContainerTime times = new ContainerTime();

  private long millis(String time) {
    byte[] bytes = (" " + time + " ").getBytes(US_ASCII);
    return times.millis(bytes, 1, bytes.length - 1);
  }

  @Test
  void timesAreReadToTheMillisecond() {
    var random = new Random(Long.getLong("cordwood.seed", 45));
    Instant at = Instant.parse("1999-12-31T23:59:59Z");
    for (int i = 0; i < 20_000; i++) {
      at = at.plusMillis(random.nextInt(4) == 0 ? random.nextLong(100_000_000) : random.nextInt(9));
      ZoneOffset offset = ZoneOffset.ofHoursMinutes(random.nextInt(15), 15 * random.nextInt(4));
      OffsetDateTime there = at.atOffset(random.nextInt(3) > 0 ? ZoneOffset.UTC : offset);
      String digits = "%09d".formatted(there.getNano()).substring(0, random.nextInt(1, 10));
      String fraction = random.nextInt(9) == 0 ? "" : "." + digits;
      String text = SECOND.format(there) + fraction + there.getOffset();
      assertThat(millis(text))
          .as(text)
          .isEqualTo(OffsetDateTime.parse(text).toInstant().toEpochMilli());
    }
  }

  @Test
  void whatIsNoTimeIsNoneAndChangesNoLaterOne() {
    String time = "2026-11-27T10:00:00.123456789Z";
    long millis = Instant.parse(time).toEpochMilli();
    List<String> odd =
        List.of(
            "",
            "2026-11-27T10:00:00",
            "2026-11-27T10:00:00.123456789",
            "2026-11-27T10:00:00.12345678xZ",
            "2026-11-27T10:00:00.x23456789Z",
            "2026-11-27T10:00:00.123456789+2:00",
            "2026-11-27 10:00:00.123456789Z",
            "2026-02-29T10:00:00.123456789Z",
            "2026-13-27T10:00:00.123456789Z",
            "2026-11-27T24:00:00.123456789Z",
            "2026-11-27T10:60:00.123456789Z",
            "2o26-11-27T10:00:00.123456789Z");
    for (String each : odd) {
      assertThat(millis(each)).as(each).isEqualTo(ContainerTime.NONE);
      assertThat(millis(each)).as("%s again", each).isEqualTo(ContainerTime.NONE);
      assertThat(millis(time)).as("after %s", each).isEqualTo(millis);
    }
  }
}
