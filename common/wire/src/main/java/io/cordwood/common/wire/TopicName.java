package io.cordwood.common.wire;

/**
 * The rule for the names of topics: 1 to 128 of {@code A-Z a-z 0-9 . _ -}, the first a letter or a
 * digit, so that one can stand in a path, a metric's label and a query as it is.
 */
public final class TopicName {
  /** The longest name; all its characters are ASCII. */
  public static final int MAX_BYTES = 128;

  /** The rule as a regular expression, for messages. */
  public static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}";

  private TopicName() {}

  /** Looks at each character: this is asked of each batch that is read. */
  public static boolean isValid(String name) {
    int length = name.length();
    boolean valid = length >= 1 && length <= MAX_BYTES && isLetterOrDigit(name.charAt(0));
    for (int i = 1; valid && i < length; i++) {
      char each = name.charAt(i);
      valid = isLetterOrDigit(each) || each == '.' || each == '_' || each == '-';
    }
    return valid;
  }

  private static boolean isLetterOrDigit(char each) {
    return (each >= 'a' && each <= 'z')
        || (each >= 'A' && each <= 'Z')
        || (each >= '0' && each <= '9');
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
