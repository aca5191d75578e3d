package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.Partners;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.gather.ClusterNodes.Gone;
import io.cordwood.query.gather.ClusterNodes.Peer;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two copies of each record, on the stores a, b and so on; each says whom it may need. */
final class NeedlessStoresTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000);
  private static final Instant LONG_AGO = NOW.minusSeconds(3600);

  private final List<Peer> there = new ArrayList<>();
  private final List<Gone> gone = new ArrayList<>();
  private int copies = 2;

  private void there(String id, String... partners) {
    there(id, 0, Partners.of(List.of(partners)));
  }

  private void there(String id, long replicatedFrom, Partners partners) {
    there.add(new Peer(id, URI.create("http://" + id), replicatedFrom, partners));
  }

  private void gone(String id, String... partners) {
    gone(id, LONG_AGO, 0, Partners.of(List.of(partners)));
  }

  private void gone(String id, Instant since, long replicatedFrom, Partners partners) {
    gone.add(new Gone(id, false, true, since, replicatedFrom, partners));
  }

  private String needless() {
    return needless(UlidRange.ALL);
  }

  private String needless(UlidRange range) {
    var nodes =
        new ClusterNodes(List.of(), there, gone, copies, Optional.empty(), Optional.empty());
    return String.join("", NeedlessStores.of(nodes, false, range, NOW).stream().sorted().toList());
  }

  @Test
  void thoseThatWentOneAfterTheOtherWithAllCopiesMadeAnewInBetween() {
    there("c", "d");
    there("d", "c");
    gone("a", "b", "c", "d");
    gone("b", "c", "d");
    assertThat(needless()).isEqualTo("ab");
  }

  @Test
  void theFirstOfThemBeforeTheCopiesOfTheSecondAreMade() {
    there("c", "b", "d");
    there("d", "b", "c");
    gone("a", "b", "c", "d");
    gone("b", "c", "d");
    assertThat(needless()).isEqualTo("a");
  }

  @Test
  void noneOfTwoThatWentTogetherSinceTheyMayHaveBeenAllThatHadSomething() {
    there("c", "d");
    there("d", "c");
    gone("a", "b", "c", "d");
    gone("b", "a", "c", "d");
    assertThat(needless()).isEmpty();
  }

  @Test
  void noneWhileOneThatIsThereMayNeedIt() {
    there("c", "d");
    there("d", "a", "c");
    gone("a", "c", "d");
    assertThat(needless()).isEmpty();
  }

  @Test
  void noneIfAnOlderNodeDoesNotSay() {
    there("c", "d");
    there("d", 0, Partners.UNKNOWN);
    gone("a", "c", "d");
    assertThat(needless()).isEmpty();
  }

  @Test
  void noneThatSaidThatItsOwnRecordsLackCopies() {
    there("c", "d");
    there("d", "c");
    gone("a", LONG_AGO, Long.MAX_VALUE, Partners.of(List.of("c", "d")));
    assertThat(needless()).isEmpty();
  }

  @Test
  void onlyForTheTimeOfWhichAllSaySo() {
    there("c", 5, Partners.of(List.of("d")));
    there("d", "c");
    gone("a", "c", "d");
    assertThat(needless()).isEmpty();
    assertThat(needless(UlidRange.ALL.since(Ulid.firstOf(5)))).isEqualTo("a");
  }

  @Test
  void noneThatHasJustGoneSinceTheOthersMayNotHaveSeenIt() {
    there("c", "d");
    there("d", "c");
    gone("e", NOW.minusSeconds(3), 0, Partners.of(List.of("c", "d")));
    assertThat(needless()).isEmpty();
  }

  @Test
  void noneThatReceivedTooOrWithoutCopiesOrWithoutRoomForThem() {
    there("c", "d");
    there("d", "c");
    gone.add(new Gone("a", true, true, LONG_AGO, 0, Partners.of(List.of())));
    assertThat(needless()).isEmpty();
    gone.clear();
    gone("a", "c", "d");
    copies = 1;
    assertThat(needless()).isEmpty();
    copies = 3;
    assertThat(needless()).isEmpty();
  }
}
