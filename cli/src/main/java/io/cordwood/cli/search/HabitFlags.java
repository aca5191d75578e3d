package io.cordwood.cli.search;

import io.cordwood.cli.program.CommandException;
import picocli.CommandLine.Option;

/**
 * Flags of other greps that scripts pass: those that change nothing here are taken, for others the
 * message says what is here instead. None of them is shown in the help.
 */
final class HabitFlags {
  /** All bytes are searched as they are, and are given when they are found. */
  @Option(
      names = {"-a", "--text", "-U", "--binary", "-u", "--unbuffered", "--line-buffered", "-I"},
      hidden = true)
  @SuppressWarnings("UnusedVariable") // taken, and nothing depends on it
  boolean needless;

  @Option(
      names = {"-P", "--perl-regexp", "--pcre2"},
      hidden = true)
  boolean perl;

  @Option(
      names = {"-G", "--basic-regexp"},
      hidden = true)
  boolean basic;

  /**
   * Looks at what is not here.
   *
   * @throws CommandException which says what is
   */
  void check() {
    if (perl) {
      throw new CommandException(
          "-P: expected -E: Perl's look-around and back-references take more than linear time and"
              + " are not here; -E has the rest, such as \\d, \\b, (?i) and a*?");
    }
    if (basic) {
      throw new CommandException(
          "-G: expected -E: basic regular expressions are not here; in extended ones | + ? ( ) { }"
              + " need no backslash");
    }
  }
}
