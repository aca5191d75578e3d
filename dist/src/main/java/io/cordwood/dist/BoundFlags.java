package io.cordwood.dist;

import io.cordwood.common.http.ApiParams;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which records of many are wanted. */
final class BoundFlags implements QuickFlags {
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

  @Nullable Long first() {
    return bound.first;
  }

  @Nullable Long last() {
    return bound.last;
  }

  void addTo(QueryString query) {
    query.addIfThere(ApiParams.LIMIT, bound.first).addIfThere(ApiParams.LAST, bound.last);
  }
}
