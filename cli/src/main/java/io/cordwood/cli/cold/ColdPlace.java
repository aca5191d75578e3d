package io.cordwood.cli.cold;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.question.RangeFlags;
import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ComparedList;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.time.Instant;
import java.util.function.LongFunction;

/** The place that a command looks at, as its first argument. */
final class ColdPlace implements Flags {
  private static final int MOST_UNREAD = 10;

  private String url = "";

  @Override
  public void list(FlagList list) {
    list.argument("0", "1")
        .label("PLACE")
        .help("file:///FOLDER or s3://BUCKET/PREFIX.")
        .value(String.class, url, value -> url = value);
  }

  BucketUrl url() {
    try {
      return BucketUrl.parse(url);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  Bucket open() throws IOException {
    try {
      return url().open();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Lists what may have records of a range, and what should. */
  static ComparedList list(Bucket bucket, RangeFlags range) throws IOException {
    return ComparedList.of(bucket, ulids(range));
  }

  /** The range as it was given. */
  static UlidRange ulids(RangeFlags range) {
    RangeFlags.Range wanted = range.range();
    Ulid from = wanted.from() == null ? Ulid.MIN : ulid(wanted.from(), Ulid::firstOf);
    Ulid to = wanted.to() == null ? Ulid.MAX : ulid(wanted.to(), Ulid::lastOf);
    return new UlidRange(from, to);
  }

  private static Ulid ulid(String text, LongFunction<Ulid> ofMillis) {
    return Ulid.isValid(text)
        ? Ulid.parse(text)
        : ofMillis.apply(Instant.parse(text).toEpochMilli());
  }

  /** Says on standard error what a list had beside cold objects, and what it lacked. */
  static void complain(String command, ComparedList found) {
    if (found.list().strangers() > 0) {
      System.err.printf(
          "cordwood cold %s: %d objects that are not Cordwood's, left alone%n",
          command, found.list().strangers());
    }
    found.unread().stream()
        .limit(MOST_UNREAD)
        .forEach(
            it -> System.err.printf("cordwood cold %s: unread manifest %s%n", command, it.why()));
    if (!found.unread().isEmpty()) {
      System.err.printf(
          "cordwood cold %s: %d manifests do not say what should be there%n",
          command, found.unread().size());
    }
    for (ColdObject object : found.lacking()) {
      System.err.printf("cordwood cold %s: %s is named, but not listed%n", command, object.name());
    }
  }
}
