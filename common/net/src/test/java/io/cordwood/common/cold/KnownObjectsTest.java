package io.cordwood.common.cold;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cold.KnownObjects.Seen;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** It has what a map would have, whatever is put and removed. */
final class KnownObjectsTest {
  private static final long START = Instant.parse("2026-11-24T00:00:00Z").toEpochMilli();
  private static final int HOUR = 3_600_000;
  private static final int HOURS = 72;

  private final Random random = new Random(1);

  private Seen seen() {
    long from = START + (long) random.nextInt(HOURS) * HOUR;
    var range = new UlidRange(Ulid.firstOf(from), Ulid.lastOf(from + HOUR - 1));
    String retention = random.nextBoolean() ? ColdName.USUAL_CLASS : "7d";
    int tail = Integer.MAX_VALUE - random.nextInt(2);
    ColdName name = ColdName.of(retention, range, tail, "f%063x".formatted(random.nextInt(2)));
    Optional<Long> nanos = Optional.of(random.nextLong()).filter(_ -> random.nextBoolean());
    return new Seen(new ColdObject(name, random.nextLong(), Instant.ofEpochMilli(from)), nanos);
  }

  private static List<Seen> sorted(Map<ColdName, Seen> all, UlidRange range) {
    return all.values().stream()
        .filter(it -> it.name().range().overlaps(range))
        .sorted(Comparator.comparing((Seen it) -> it.name().day()).thenComparing(Seen::name))
        .toList();
  }

  @Test
  void hasWhatAMapHas() {
    var known = new KnownObjects();
    Map<ColdName, Seen> expected = new HashMap<>();
    for (int i = 0; i < 300; i++) {
      List<Seen> some = new ArrayList<>();
      for (int j = random.nextInt(5); j > 0; j--) {
        some.add(seen());
      }
      known.put(some);
      some.forEach(it -> expected.put(it.name(), it));
      Set<ColdName> gone = Set.of(seen().name());
      known.remove(gone);
      expected.keySet().removeAll(gone);
      assertThat(known.all()).containsExactlyElementsOf(sorted(expected, UlidRange.ALL));
      UlidRange hours = seen().name().range();
      assertThat(known.in(hours)).isEqualTo(sorted(expected, hours));
      assertThat(known.size()).isEqualTo(expected.size());
    }
    known.remove(Set.copyOf(expected.keySet()));
    assertThat(known.all()).isEmpty();
    assertThat(expected.keySet()).noneMatch(it -> known.hasOf(it.day()));
  }
}
