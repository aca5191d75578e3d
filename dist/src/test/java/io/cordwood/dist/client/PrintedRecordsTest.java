package io.cordwood.dist.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.ulid.Ulid;
import org.junit.jupiter.api.Test;

/** What is printed once is not again, what came late is, and what is remembered is bounded. */
final class PrintedRecordsTest {
  private final PrintedRecords printed = new PrintedRecords();

  private static Ulid at(long millis) {
    return Ulid.firstOf(1_700_000_000_000L + millis);
  }

  private boolean add(long millis) {
    return printed.add(at(millis), "app");
  }

  @Test
  void whatWasPrintedBeforeABreakIsNotAgainAndWhatCameMeanwhileIs() {
    assertThat(printed.position()).isEmpty();
    assertThat(add(10)).isTrue();
    assertThat(add(30)).isTrue();
    printed.beginAnew();
    assertThat(printed.position()).contains(at(10));
    assertThat(add(20)).isTrue();
    assertThat(printed.add(at(30), "another")).isTrue();
    assertThat(add(30)).isFalse();
    assertThat(add(40)).isTrue();
    printed.beginAnew();
    assertThat(add(20)).isFalse();
  }

  @Test
  void whatComesLateDoesNotMoveThePositionBackWhereOthersWereNotAskedFor() {
    assertThat(add(100)).isTrue();
    assertThat(add(50)).isTrue();
    assertThat(printed.position()).contains(at(100));
  }

  @Test
  void thePositionIsTenSecondsBehindTheLastRecordOrTheLastManyRecords() {
    add(0);
    add(5_000);
    add(12_000);
    assertThat(printed.position()).contains(at(5_000));
    add(100_000);
    assertThat(printed.position()).contains(at(100_000));
    for (int i = 0; i < PrintedRecords.MAX_KNOWN; i++) {
      assertThat(printed.add(at(100_000).plus(i + 1), "app")).isTrue();
    }
    assertThat(printed.position()).contains(at(100_000).plus(1));
  }
}
