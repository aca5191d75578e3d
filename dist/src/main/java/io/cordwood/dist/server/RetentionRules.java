package io.cordwood.dist.server;

import io.cordwood.cli.program.Flag;
import io.cordwood.cli.program.Values;
import io.cordwood.store.RetentionRule;
import java.util.List;
import java.util.function.Consumer;

/** Flags that say for how long topics are kept. */
final class RetentionRules {
  private RetentionRules() {}

  /** Lets a flag be given more than once, and with several rules, split by commas. */
  static void list(Flag flag, List<RetentionRule> otherwise, Consumer<List<RetentionRule>> target) {
    flag.label("[TOPICS=]DURATION")
        .split(",")
        .list(
            RetentionRule.class,
            text -> Values.read(text, RetentionRule::parse),
            otherwise,
            target);
  }
}
