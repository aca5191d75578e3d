package io.cordwood.cli.question;

import io.cordwood.cli.program.OneOf;
import io.cordwood.cli.program.Values;
import io.cordwood.common.http.ApiParams;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which records of many are wanted: from one of both ends. */
public final class BoundFlags implements OneOf {
  @Option(
      names = {"-m", "--max-count"},
      paramLabel = "N",
      converter = Values.CountValue.class,
      description = "The first N records only, the oldest; of each FILE. Default: all.")
  @Nullable Long first;

  @Option(
      names = {"-n", "--tail"},
      paramLabel = "N",
      converter = Values.CountValue.class,
      description = "The last N records only, the newest; N is 100000 at most.")
  @Nullable Long last;

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
