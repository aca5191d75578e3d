package io.cordwood.cli.search;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.cli.question.QueryString;
import io.cordwood.common.http.ApiParams;
import org.jspecify.annotations.Nullable;

/** How many records around each match are wanted. */
final class ContextFlags implements Flags {
  private static final int MAX = 1000;

  @Nullable Integer after;
  @Nullable Integer before;
  int both;

  @Override
  public void list(FlagList list) {
    list.flag("-A", "--after-context")
        .label("NUM")
        .help("NUM records after each match too, of the same sender, or file.")
        .value(Integer.class, after, value -> after = value);
    list.flag("-B", "--before-context")
        .label("NUM")
        .help("NUM records before each match too.")
        .value(Integer.class, before, value -> before = value);
    list.flag("-C", "--context")
        .label("NUM")
        .help("Both; groups that do not meet have a line of -- between.")
        .value(int.class, both, value -> both = value);
  }

  /**
   * How many after each match.
   *
   * @throws CommandException if that is too many
   */
  public int after() {
    return checked("-A", after == null ? both : after);
  }

  /**
   * How many before each match.
   *
   * @throws CommandException if that is too many
   */
  public int before() {
    return checked("-B", before == null ? both : before);
  }

  private static int checked(String flag, int number) {
    if (number < 0 || number > MAX) {
      throw new CommandException(
          "%s or -C: expected 0 to %d records, found %d".formatted(flag, MAX, number));
    }
    return number;
  }

  /** Whether any are wanted. */
  public boolean areGiven() {
    return before() + after() > 0;
  }

  /** Adds how many are wanted. */
  public void addTo(QueryString query) {
    query
        .addIfThere(ApiParams.BEFORE, before() == 0 ? null : before())
        .addIfThere(ApiParams.AFTER, after() == 0 ? null : after());
  }
}
