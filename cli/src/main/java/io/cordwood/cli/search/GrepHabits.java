package io.cordwood.cli.search;

import io.cordwood.cli.program.CommandException;
import java.util.ArrayList;
import java.util.List;

/**
 * Translates the habits of grep's users into this grep's flags: {@code -n} is grep's line numbers
 * unless a number follows it, and {@code --color} needs no value. A bucket is searched by another
 * command.
 */
final class GrepHabits {
  static final String LINE_NUMBER = "--line-number";
  private static final String TAKE_VALUES = "efmABC";
  private static final List<String> COLOURS = List.of("--color", "--colour");
  private static final List<String> WHENS = List.of("auto", "always", "never");
  private static final List<String> LONG_WITH_ANY_VALUE = List.of("--regexp", "--file");

  private GrepHabits() {}

  /**
   * The command line with {@link #LINE_NUMBER} for each {@code -n} that is that.
   *
   * @throws CommandException if another command is meant; it is named
   */
  static String[] rewritten(String... args) {
    List<String> all = new ArrayList<>();
    for (int at = 0; at < args.length; at++) {
      String arg = args[at];
      if (arg.equals("--")) {
        all.addAll(List.of(args).subList(at, args.length));
        break;
      }
      if (COLOURS.contains(arg) && (at + 1 == args.length || !WHENS.contains(args[at + 1]))) {
        all.add(arg + "=auto");
        continue;
      }
      if (arg.equals("--cold") || arg.startsWith("--cold=")) {
        throw new CommandException(
            "unknown option '--cold'; did you mean cordwood cold grep PLACE PATTERN?");
      }
      boolean letters = arg.length() > 1 && arg.charAt(0) == '-' && arg.charAt(1) != '-';
      int valueAt = letters ? valueAt(arg) : arg.length();
      int numbersAt = letters ? arg.substring(0, valueAt).indexOf('n') : -1;
      boolean numbered = numbersAt > 0 && !hasNumber(arg.substring(numbersAt + 1), args, at);
      if (numbered) {
        all.add(LINE_NUMBER);
        arg = arg.substring(0, numbersAt) + arg.substring(numbersAt + 1);
      }
      if (arg.length() > 1 || !numbered) {
        all.add(arg);
      }
      boolean awaitsValue = letters ? valueAt == args[at].length() - 1 : isAwaiting(arg);
      if (awaitsValue && at + 1 < args.length) {
        all.add(args[++at]);
      }
    }
    return all.toArray(String[]::new);
  }

  /** The index of the first letter that takes a value, which follows it. */
  private static int valueAt(String letters) {
    for (int at = 1; at < letters.length(); at++) {
      boolean number = letters.charAt(at) == 'n' && isNumber(letters.substring(at + 1));
      if (number || TAKE_VALUES.indexOf(letters.charAt(at)) >= 0) {
        return number ? letters.length() : at;
      }
    }
    return letters.length();
  }

  private static boolean hasNumber(String rest, String[] args, int at) {
    boolean next = rest.isEmpty() && at + 1 < args.length;
    return isNumber(next ? args[at + 1] : rest);
  }

  /** Also {@code =5}, which other flags take, too. */
  private static boolean isNumber(String text) {
    return text.matches("=.*|[0-9]+");
  }

  private static boolean isAwaiting(String arg) {
    return LONG_WITH_ANY_VALUE.contains(arg);
  }
}
