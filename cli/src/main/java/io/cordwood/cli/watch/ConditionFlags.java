package io.cordwood.cli.watch;

import io.cordwood.cli.alert.Condition;
import io.cordwood.cli.alert.Condition.Kind;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import org.jspecify.annotations.Nullable;

/** The number of records at which an alert fires. */
final class ConditionFlags implements ExclusiveFlags {
  @Nullable Long above;
  @Nullable Long below;
  boolean absent;

  @Override
  public void list(FlagList list) {
    list.flag("--above")
        .label("N")
        .help("The alert fires if a window has more than N records.")
        .count(above, value -> above = value);
    list.flag("--below")
        .label("N")
        .help("It fires if a window has fewer than N.")
        .count(below, value -> below = value);
    list.flag("--absent").help("It fires if a window has none.").on(value -> absent = value);
  }

  Condition condition() {
    if (below != null && below == 0) {
      throw new CommandException("--below: expected 1 or more, found 0, which never fires");
    }
    if (above != null) {
      return new Condition(Kind.ABOVE, above);
    }
    if (below != null) {
      return new Condition(Kind.BELOW, below);
    }
    if (absent) {
      return Condition.ABSENT;
    }
    throw new CommandException("expected --above, --below or --absent, found none");
  }
}
