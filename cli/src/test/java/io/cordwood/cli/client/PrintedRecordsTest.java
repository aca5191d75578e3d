package io.cordwood.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is printed once is not again, what came late is, and what is remembered is bounded. */
final class PrintedRecordsTest {
  private final PrintedRecords printed = new PrintedRecords(Optional.of(Ulid.MIN));

  private static Ulid at(long millis) {
    return Ulid.firstOf(1_700_000_000_000L + millis);
  }

  private boolean add(long millis) {
    return printed.add(at(millis), "app", Labels.NONE);
  }

  @Test
  void whatWasPrintedBeforeABreakIsNotAgainAndWhatCameMeanwhileIs() {
    assertThat(add(10)).isTrue();
    assertThat(add(30)).isTrue();
    printed.allUpTo(at(5));
    printed.beginAnew();
    assertThat(printed.position()).contains(at(5));
    assertThat(add(20)).isTrue();
    assertThat(printed.add(at(30), "another", Labels.NONE)).isTrue();
    assertThat(printed.add(at(30), "app", Labels.of(Map.of("pod", "x")))).isTrue();
    assertThat(add(30)).isFalse();
    assertThat(add(40)).isTrue();
    printed.beginAnew();
    assertThat(add(20)).isFalse();
    assertThat(add(10)).isFalse();
  }

  @Test
  void thePositionIsTheNodesAndNeverGoesBack() {
    assertThat(add(5_000)).isTrue();
    assertThat(printed.position()).contains(Ulid.MIN);
    printed.allUpTo(at(100));
    printed.allUpTo(at(50));
    assertThat(printed.position()).contains(at(100));
  }

  @Test
  void whatIsAheadOfAllClocksHidesNothing() {
    printed.allUpTo(at(0));
    assertThat(add(3_600_000)).isTrue();
    assertThat(add(1)).isTrue();
    printed.beginAnew();
    assertThat(printed.position()).contains(at(0));
    assertThat(add(1)).isFalse();
    assertThat(add(2)).isTrue();
    assertThat(add(3_600_000)).isFalse();
  }

  @Test
  void whatIsBeforeTheLastRecordsOfTheBeginningIsNotPrintedAfterABreak() {
    var last = new PrintedRecords(Optional.empty());
    last.beginAnew();
    assertThat(last.position()).isEmpty();
    assertThat(last.add(at(10), "app", Labels.NONE)).isTrue();
    assertThat(last.add(at(5), "app", Labels.NONE)).isTrue();
    last.allUpTo(at(1));
    last.beginAnew();
    assertThat(last.add(at(8), "app", Labels.NONE)).isFalse();
    assertThat(last.add(at(10), "app", Labels.NONE)).isFalse();
    assertThat(last.add(at(11), "app", Labels.NONE)).isTrue();
  }

  @Test
  void whatIsRememberedIsBoundedAndWhatIsBeyondComesTwice() {
    for (int i = 0; i <= PrintedRecords.MAX_KNOWN; i++) {
      assertThat(add(i)).isTrue();
    }
    printed.beginAnew();
    assertThat(add(PrintedRecords.MAX_KNOWN - 1)).isFalse();
    assertThat(add(PrintedRecords.MAX_KNOWN)).isTrue();
    printed.allUpTo(at(PrintedRecords.MAX_KNOWN - 2));
    assertThat(add(PrintedRecords.MAX_KNOWN - 2)).isTrue();
    assertThat(add(PrintedRecords.MAX_KNOWN - 1)).isFalse();
  }
}
