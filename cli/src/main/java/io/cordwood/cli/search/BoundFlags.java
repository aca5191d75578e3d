package io.cordwood.cli.search;

import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import org.jspecify.annotations.Nullable;

/** Which records of many are wanted: from one of both ends. */
final class BoundFlags implements ExclusiveFlags {
  @Nullable Long first;
  @Nullable Long last;

  @Override
  public void list(FlagList list) {
    list.flag("-m", "--max-count")
        .label("N")
        .help("The first N records only, the oldest; of each FILE. Default: all.")
        .count(first, value -> first = value);
    list.flag("-n", "--tail")
        .label("N")
        .help("The last N records only, the newest; N is 100000 at most.")
        .count(last, value -> last = value);
  }

  /** At most this number, the oldest; null: all. */
  public @Nullable Long first() {
    return first;
  }

  /** At most this number, the newest; null: all. */
  public @Nullable Long last() {
    return last;
  }

  /** Whether no record is wanted, and nobody need be asked. */
  public boolean areNone() {
    return Long.valueOf(0).equals(first) || Long.valueOf(0).equals(last);
  }

  /** Adds how many records are wanted, and of which end. */
  public void addTo(QueryString query) {
    query.addIfThere(ApiParams.LIMIT, first).addIfThere(ApiParams.LAST, last);
  }
}
