package io.cordwood.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.scalecube.cluster.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** However many nodes come at once, few times is written down who is there. */
final class GatheredChangesTest {
  private static final Member SELF = new Member("self", null, "127.0.0.1:1", "cordwood");

  private final List<Duration> due = new ArrayList<>();
  private final List<String> done = new ArrayList<>();
  private final GatheredChanges changes = new GatheredChanges(due::add);

  private void write() {
    var afterwards = changes.take();
    done.add("written");
    afterwards.forEach(act -> act.accept(SELF));
  }

  @Test
  void changesThatComeBeforeTheyAreWrittenAreWrittenOnceAndActedOnAfterwards() {
    for (int i = 0; i < 1_000; i++) {
      String change = "told " + i;
      changes.add(i, _ -> done.add(change));
    }
    assertThat(due).containsExactly(Duration.ZERO);
    write();
    assertThat(done).hasSize(1_001).startsWith("written", "told 0").endsWith("told 999");
  }

  @Test
  void aChangeThatComesWhileOthersAreWrittenIsWrittenTheNextTime() {
    changes.add(6, _ -> changes.add(5_000, _ -> done.add("second")));
    write();
    assertThat(due).containsExactly(Duration.ofMillis(6), Duration.ofSeconds(1));
    assertThat(done).containsExactly("written");
    write();
    assertThat(done).containsExactly("written", "written", "second");
    write();
    assertThat(done).endsWith("second", "written");
  }
}
