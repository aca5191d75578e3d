package io.cordwood.dist.server;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.store.ColdOptions;
import java.time.Duration;
import java.util.Optional;

/** The flags of the bucket that a store uploads to. */
final class ColdFlags implements Flags {
  String place = "";
  Duration after = ColdOptions.DEFAULT_AFTER;
  long bytesPerSecond = ColdOptions.DEFAULT_BYTES_PER_SECOND;

  @Override
  public void list(FlagList list) {
    list.flag("--cold")
        .label("PLACE")
        .help(
            "Bucket or folder to which the records of days that are over are uploaded:"
                + " s3://BUCKET/PREFIX or file:///FOLDER. Default: none.")
        .value(String.class, place, value -> place = value);
    list.flag("--cold-after")
        .label("DURATION")
        .help("How long after the end of a day in UTC it is uploaded. Default: 1h.")
        .duration(after, value -> after = value);
    list.flag("--cold-rate")
        .label("BYTES")
        .help("Most bytes of records a second that are made ready for it. Default: 32MiB.")
        .size(bytesPerSecond, value -> bytesPerSecond = value);
  }

  /** As the store tier wants them, checked; empty if there is no bucket. */
  Optional<ColdOptions> options() {
    return place.isEmpty()
        ? Optional.empty()
        : Optional.of(new ColdOptions(BucketUrl.parse(place), after, bytesPerSecond));
  }
}
