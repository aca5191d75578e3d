package io.cordwood.sim;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** What {@code bench/simulate} is told, as system properties; the errors name the properties. */
final class Settings {
  private static final int MOST_NODES = 9_999;
  private static final String DIGITS = "[0-9]+";

  private Settings() {}

  /** A number from 1. */
  static long number(String property, long usual) {
    return number(property, usual, Long.MAX_VALUE);
  }

  static int minutes(int usual) {
    return (int) number("cordwood.minutes", usual, Integer.MAX_VALUE);
  }

  private static long number(String property, long usual, long most) {
    String text = System.getProperty(property, Long.toString(usual));
    check(
        property,
        "a number from 1 to " + most,
        text,
        it -> it.matches(DIGITS) && isBetween(it, 1, most));
    return Long.parseLong(text);
  }

  /** Numbers of nodes. */
  static List<Integer> sizes(String property, String usual, int least) {
    String text = System.getProperty(property, usual);
    check(
        property,
        "numbers of nodes from %d to %d, with commas between them".formatted(least, MOST_NODES),
        text,
        it ->
            it.matches(DIGITS + "(," + DIGITS + ")*")
                && Arrays.stream(it.split(",")).allMatch(n -> isBetween(n, least, MOST_NODES)));
    return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
  }

  static Mistake mistake() {
    String property = "cordwood.mistake";
    String text = System.getProperty(property, Mistake.NONE.name());
    List<String> all = Arrays.stream(Mistake.values()).map(Mistake::name).toList();
    check(property, "one of " + String.join(", ", all), text, all::contains);
    return Mistake.valueOf(text);
  }

  private static boolean isBetween(String digits, long least, long most) {
    try {
      long number = Long.parseLong(digits);
      return number >= least && number <= most;
    } catch (NumberFormatException e) {
      return false; // it has too many digits
    }
  }

  private static void check(
      String property, String expected, String text, Predicate<String> isRight) {
    if (!isRight.test(text)) {
      throw new IllegalArgumentException(
          "-D%s: expected %s, found '%s'".formatted(property, expected, text));
    }
  }
}
