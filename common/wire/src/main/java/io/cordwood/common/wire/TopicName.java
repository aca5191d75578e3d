package io.cordwood.common.wire;

import java.util.regex.Pattern;

/**
 * The rule for the names of topics: 1 to 128 of {@code A-Z a-z 0-9 . _ -}, the first a letter or a
 * digit, so that one can stand in a path, a metric's label and a query as it is.
 */
public final class TopicName {
  /** The longest name; all its characters are ASCII. */
  public static final int MAX_BYTES = 128;

  /** The rule as a regular expression. */
  public static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}";

  private static final Pattern VALID = Pattern.compile(PATTERN);

  private TopicName() {}

  public static boolean isValid(String name) {
    return VALID.matcher(name).matches();
  }

  /**
   * Gives the name back.
   *
   * @throws IllegalArgumentException if it is not a topic's; the message says why
   */
  public static String check(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException(
          ("expected a topic of 1 to %d characters of A-Z a-z 0-9 . _ - "
                  + "that begins with a letter or a digit, found \"%s\"")
              .formatted(
                  MAX_BYTES,
                  name.length() > MAX_BYTES ? name.substring(0, MAX_BYTES) + "…" : name));
    }
    return name;
  }
}
