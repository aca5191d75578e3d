package io.cordwood.dist.question;

import io.cordwood.common.http.ApiParams;
import io.cordwood.dist.program.QuickFlags;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which records of many are wanted. */
public final class BoundFlags implements QuickFlags {
  @ArgGroup(exclusive = true)
  private Bound bound = new Bound();

  /** From one of both ends. */
  static final class Bound {
    @Option(
        names = {"-m", "--max-count"},
        paramLabel = "N",
        description = "The first N records only, the oldest; of each FILE. Default: all.")
    @Nullable Long first;

    @Option(
        names = {"-n", "--tail"},
        paramLabel = "N",
        description = "The last N records only, the newest.")
    @Nullable Long last;
  }

  @Override
  public boolean take(String flag, String value) {
    long number = QuickFlags.number(value);
    boolean free = bound.first == null && bound.last == null;
    switch (flag) {
      case "-m", "--max-count" -> bound.first = number;
      case "-n", "--tail" -> bound.last = number;
      default -> {
        return false;
      }
    }
    return free && number != QuickFlags.NO_NUMBER;
  }

  /** At most so many, the oldest; null: all. */
  public @Nullable Long first() {
    return bound.first;
  }

  /** At most so many, the newest; null: all. */
  public @Nullable Long last() {
    return bound.last;
  }

  /** Adds how many records are wanted, and of which end. */
  public void addTo(QueryString query) {
    query.addIfThere(ApiParams.LIMIT, bound.first).addIfThere(ApiParams.LAST, bound.last);
  }
}
