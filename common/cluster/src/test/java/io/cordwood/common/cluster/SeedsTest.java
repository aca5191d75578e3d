package io.cordwood.common.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SeedsTest {
  private static final String PEER = "log4:7659";

  private Instant now = Instant.EPOCH;
  private final Seeds seeds =
      new Seeds(List.of(new HostPort("log4", 7659)), () -> now, Duration.ofSeconds(10));

  /** The lines that the pauses add to the log, which has warnings only. */
  private String warnings(Duration... pauses) {
    PrintStream usual = System.err;
    var written = new ByteArrayOutputStream();
    try (PrintStream log = new PrintStream(written, true, UTF_8)) {
      System.setErr(log);
      for (Duration pause : pauses) {
        now = now.plus(pause);
        seeds.notReached(PEER, new IOException("refused"));
      }
    } finally {
      System.setErr(usual);
    }
    return written.toString(UTF_8);
  }

  @Test
  void aPeerThatStartsALittleLaterIsWorthNoWarning() {
    Duration almost = Seeds.PATIENCE.minusMillis(1);
    assertThat(warnings(Duration.ZERO, almost)).isEmpty();
    assertThat(seeds.unreachable()).isEqualTo(1);
    seeds.reached(PEER);
    assertThat(warnings(Duration.ofSeconds(1), almost)).isEmpty();
  }

  @Test
  void aPeerThatStaysAwayIsWarnedOfOnce() {
    assertThat(warnings(Duration.ZERO, Seeds.PATIENCE, Seeds.PATIENCE, Seeds.PATIENCE))
        .containsOnlyOnce("WARN")
        .contains("peer log4:7659 cannot be reached since 1970-01-01T00:00:00Z: refused");
  }

  /** Its name leads to another address than the one that it tells the others. */
  @Test
  void aPeerThatIsAMemberUnderAnotherAddressIsMetAlsoWhenItIsDead() {
    seeds.reached(PEER);
    seeds.standsFor(PEER, "192.0.2.4:7659");
    seeds.meet(Set.of("10.0.0.4:7659"));
    assertThat(seeds.unmet(Set.of("10.0.0.4:7659"))).as("it may be somebody else").isPresent();
    now = now.plusSeconds(11);
    seeds.meet(Set.of("10.0.0.4:7659"));
    seeds.notReached(PEER, new IOException("refused"));
    seeds.meet(Set.of());
    assertThat(seeds.unmet(Set.of())).isEmpty();
  }

  @Test
  void aPeerThatWasMetBeforeTheLastStartIsMet() {
    seeds.restoreMet(Set.of(PEER, "other:1"));
    seeds.notReached(PEER, new IOException("refused"));
    assertThat(seeds.unmet(Set.of())).isEmpty();
    assertThat(seeds.met()).containsExactly(PEER);
  }

  @Test
  void aPeerThatAnswersAndNeverBecomesAMemberIsNotMetWhenItIsDead() {
    seeds.reached(PEER);
    now = now.plusSeconds(11);
    seeds.meet(Set.of());
    seeds.notReached(PEER, new IOException("refused"));
    assertThat(seeds.unmet(Set.of())).hasValue("peer log4:7659 was not met yet, refused");
  }
}
