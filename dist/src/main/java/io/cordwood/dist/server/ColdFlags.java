package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdTimes;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** The flags of the bucket that a node reads. */
final class ColdFlags implements Flags {
  String place = "";
  long cacheBytes = ColdReader.Options.DEFAULT_CACHE_BYTES;
  long maxRequests = ColdReader.Options.DEFAULT_MAX_REQUESTS;

  /** No flag: shorter ones would lose records. */
  ColdTimes times = ColdTimes.USUAL;

  @Override
  public void list(FlagList list) {
    list.flag("--cold")
        .label("PLACE")
        .help(
            "Bucket or folder that queries search, too, and to which a store uploads the records"
                + " of days that are over: s3://BUCKET/PREFIX or file:///FOLDER. The same on all"
                + " nodes. Default: none.")
        .value(String.class, place, value -> place = value);
    list.flag("--cold-cache-size")
        .label("BYTES")
        .help("Bytes on disk for what queries need of each object there. Default: 4GiB.")
        .size(cacheBytes, value -> cacheBytes = value);
    list.flag("--cold-max-requests")
        .label("N")
        .help(
            "Requests to it for one query; it is stopped then, and says so. "
                + "Default: ${DEFAULT-VALUE}.")
        .value(long.class, maxRequests, value -> maxRequests = value);
  }

  /**
   * The place; empty if there is none.
   *
   * @throws CommandException if there cannot be such a one
   */
  Optional<BucketUrl> url() {
    try {
      return place.isEmpty() ? Optional.empty() : Optional.of(BucketUrl.parse(place).checked());
    } catch (IllegalArgumentException e) {
      throw new CommandException("--cold: " + e.getMessage(), e);
    }
  }

  private ColdReader.Options options(Path data) {
    try {
      return new ColdReader.Options(data.resolve("cold"), cacheBytes, maxRequests, times);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Refuses what cannot be. */
  void check(Path data) {
    var _ = url();
    checkBeside("--cold-cache-size", cacheBytes != ColdReader.Options.DEFAULT_CACHE_BYTES);
    checkBeside("--cold-max-requests", maxRequests != ColdReader.Options.DEFAULT_MAX_REQUESTS);
    var _ = options(data);
  }

  /**
   * Refuses a flag that says something of a place, if there is none.
   *
   * @param isSet to another value than the usual one
   */
  void checkBeside(String flag, boolean isSet) {
    if (isSet && place.isEmpty()) {
      throw new CommandException(flag + ": expected --cold beside it");
    }
  }

  /** A reader of the place, until the group ends; makes no request. */
  Optional<ColdReader> start(Path data, RunGroup group, InstantSource clock, MeterRegistry registry)
      throws IOException {
    Optional<BucketUrl> url = url();
    if (url.isEmpty()) {
      return Optional.empty();
    }
    Bucket bucket = group.hold("bucket", open(url.get()));
    var reader = new ColdReader(bucket, options(data), clock, System::nanoTime, registry);
    return Optional.of(group.hold("cold", reader));
  }

  private static Bucket open(BucketUrl url) {
    try {
      return url.open();
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException("--cold: " + e.getMessage(), e);
    }
  }
}
