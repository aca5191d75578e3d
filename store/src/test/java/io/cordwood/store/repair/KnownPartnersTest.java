package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class KnownPartnersTest {
  private static final Instant TEN = Instant.ofEpochSecond(10);

  private Instant newest = Instant.MIN;
  private final KnownPartners partners = new KnownPartners(() -> newest);

  @Test
  void whoIsGoneIsNeededUntilAllThatWasThereThenIsCompared() {
    partners.look(List.of("a", "b"));
    newest = TEN;
    partners.look(List.of("a"));
    newest = TEN.plusSeconds(5); // comes when it is gone, and is shared with others
    partners.look(List.of("a"));
    partners.compared(Set.of("a"), TEN);
    assertThat(partners.ids()).hasValue(Set.of("a", "b"));
    partners.compared(Set.of("a"), TEN.plusMillis(1));
    assertThat(partners.ids()).hasValue(Set.of("a"));
  }

  @Test
  void whoComesBackIsNeededAtOnceAlsoIfItIsOnlyHeard() {
    partners.look(List.of("a", "b"));
    partners.look(List.of("a"));
    partners.compared(Set.of("a"), TEN);
    assertThat(partners.ids()).hasValue(Set.of("a"));
    partners.seen("b");
    newest = TEN;
    partners.look(List.of("a"));
    partners.compared(Set.of("a"), TEN);
    assertThat(partners.ids()).hasValue(Set.of("a", "b"));
  }

  @Test
  void whoIsThereIsNeededAlsoIfAComparisonHadToDoWithoutIt() {
    partners.look(List.of("a", "b"));
    partners.compared(Set.of("a"), Instant.MAX);
    assertThat(partners.ids()).hasValue(Set.of("a", "b"));
  }

  @Test
  void whatAStoreHoldsWhenItStartsItMayShareWithAnybody() {
    newest = TEN;
    var started = new KnownPartners(() -> newest);
    started.look(List.of("a"));
    started.compared(Set.of("a"), TEN);
    assertThat(started.ids()).isEmpty();
    started.compared(Set.of("a"), TEN.plusMillis(1));
    assertThat(started.ids()).hasValue(Set.of("a"));
  }
}
