package io.cordwood.cli.search;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;

/**
 * Flags of other greps that scripts pass: those that change nothing here are taken, for others the
 * message says what is here instead. None of them is shown in the help.
 */
final class HabitFlags implements Flags {
  boolean perl;
  boolean basic;

  @Override
  public void list(FlagList list) {
    list.flag("-a", "--text", "-U", "--binary", "-u", "--unbuffered", "--line-buffered", "-I")
        .hidden()
        .on(_ -> {}); // all bytes are searched as they are, and given when they are found
    list.flag("-P", "--perl-regexp", "--pcre2").hidden().on(value -> perl = value);
    list.flag("-G", "--basic-regexp").hidden().on(value -> basic = value);
  }

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
