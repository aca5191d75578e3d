package io.cordwood.sim;

import io.cordwood.store.ByTopic;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.RetentionRule;
import io.cordwood.store.StoreOptions.Keeping;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * How long a simulated cluster keeps what where, by its seed.
 *
 * @param keeping on disks
 * @param inBucket how long the bucket keeps which topic
 */
record ColdRules(
    Keeping keeping,
    Duration uploadAfter,
    Optional<Duration> evictAfter,
    ByTopic<Duration> inBucket) {
  /** A topic for which there may be a rule. */
  static final String BRIEF = "brief";

  private static final int LEAST_HOURS = 30;

  static ColdRules of(SplittableRandom random) {
    Duration disks = Duration.ofHours(LEAST_HOURS + random.nextInt(60));
    boolean evicts = random.nextInt(4) > 0;
    long mostBytes = evicts && random.nextInt(3) == 0 ? 10_000 : 0;
    List<RetentionRule> rules =
        random.nextBoolean()
            ? List.of(new RetentionRule(BRIEF, disks.plus(Duration.ofHours(random.nextInt(48)))))
            : List.of();
    return new ColdRules(
        new Keeping(disks, Duration.ofHours(6), mostBytes),
        Duration.ofMinutes(random.nextInt(120)),
        evicts ? Optional.of(Duration.ofHours(2 + random.nextInt(38))) : Optional.empty(),
        RetentionRule.all(rules, ColdOptions.FOR_EVER));
  }
}
