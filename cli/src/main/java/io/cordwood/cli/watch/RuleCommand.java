package io.cordwood.cli.watch;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.FlagList;
import java.util.ArrayList;
import java.util.List;

/** A rule of a file, read as a command line would be; it is never run. */
final class RuleCommand implements Command {
  final RuleFlags flags = new RuleFlags();
  List<String> pattern = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.argument("0..*", "0..*")
        .label("PATTERN")
        .list(String.class, pattern, value -> pattern = value);
    list.addAll(flags);
  }

  @Override
  public Integer call() {
    throw new IllegalStateException("a rule is no command");
  }
}
