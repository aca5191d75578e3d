package io.cordwood.dist.server;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.store.ByTopic;
import io.cordwood.store.ColdOptions;
import io.cordwood.store.RetentionRule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags of how a store uploads to a bucket. */
final class UploadFlags implements Flags {
  Duration after = ColdOptions.DEFAULT_AFTER;
  @Nullable Duration evictAfter;
  List<RetentionRule> retention = List.of();
  long bytesPerSecond = ColdOptions.DEFAULT_BYTES_PER_SECOND;

  @Override
  public void list(FlagList list) {
    list.flag("--cold-after")
        .label("DURATION")
        .help("How long after the end of a day in UTC it is uploaded. Default: 1h.")
        .duration(after, value -> after = value);
    list.flag("--cold-rate")
        .label("BYTES")
        .help("Most bytes of records a second that are made ready for it. Default: 32MiB.")
        .size(bytesPerSecond, value -> bytesPerSecond = value);
    listEviction(list);
  }

  private void listEviction(FlagList list) {
    list.flag("--cold-evict-after")
        .label("DURATION")
        .help(
            "How old records are, at least 2h, that are deleted here once the bucket is proven to"
                + " have all of them; sooner when --max-store-size is reached, which then deletes"
                + " nothing else. Default: never.")
        .duration(evictAfter, value -> evictAfter = value);
    RetentionRules.list(
        list.flag("--cold-retention")
            .help(
                "How long records are kept in the bucket, in the form of --retention, and no"
                    + " shorter than that; the same on all stores. Default: for ever, also for"
                    + " topics that no rule is for."),
        retention,
        value -> retention = value);
  }

  /**
   * As the store tier wants them, checked; empty if there is no place.
   *
   * @param bucket to upload to
   * @param disks how long records are kept there
   */
  Optional<ColdOptions> options(ColdFlags bucket, ByTopic<Duration> disks) {
    Optional<Duration> evicting = Optional.ofNullable(evictAfter);
    bucket.checkBeside("--cold-evict-after", evicting.isPresent());
    bucket.checkBeside("--cold-retention", !retention.isEmpty());
    bucket.checkBeside("--cold-after", !after.equals(ColdOptions.DEFAULT_AFTER));
    bucket.checkBeside("--cold-rate", bytesPerSecond != ColdOptions.DEFAULT_BYTES_PER_SECOND);
    ByTopic<Duration> kept = RetentionRule.all(retention, ColdOptions.FOR_EVER);
    var options =
        bucket
            .url()
            .map(it -> new ColdOptions(it, after, bytesPerSecond, evicting, kept, bucket.times));
    options.ifPresent(it -> it.checkKeepsAsLongAs(disks));
    return options;
  }
}
