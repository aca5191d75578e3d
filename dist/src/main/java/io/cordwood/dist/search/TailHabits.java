package io.cordwood.dist.search;

import io.cordwood.dist.program.CommandException;
import io.cordwood.dist.program.QuickFlags;
import picocli.CommandLine.Option;

/** Flags of grep that make no sense of a tail. None of them is shown in the help. */
final class TailHabits implements QuickFlags {
  @Option(
      names = {"-c", "--count"},
      hidden = true)
  private boolean count;

  @Option(
      names = {"-A", "-B", "-C", "--after-context", "--before-context", "--context"},
      hidden = true)
  private int context;

  @Option(names = "--follow", hidden = true)
  @SuppressWarnings("UnusedVariable") // taken, and nothing depends on it
  private boolean needless;

  /**
   * Looks at what is not here.
   *
   * @throws CommandException which says what is
   */
  void check() {
    if (count) {
      throw new CommandException(
          "-c: a tail has no end at which it could count; 'cordwood grep -c' counts, and 'cordwood"
              + " histogram' by time");
    }
    if (context != 0) {
      throw new CommandException(
          "-A, -B, -C: context looks back, which a tail does not; 'cordwood grep -C' does");
    }
  }
}
