package io.cordwood.query.template;

/** A text that is made of others, of {@link #MAX_CHARS} at most. */
final class BoundedText {
  /** The longest text that a template makes, in characters: four times the longest record. */
  static final int MAX_CHARS = 4 << 20;

  private final StringBuilder made = new StringBuilder();

  BoundedText append(String text) {
    return append(text, 0, text.length());
  }

  BoundedText append(String text, int from, int to) {
    check(made.length() + (to - from));
    made.append(text, from, to);
    return this;
  }

  static void check(int chars) {
    if (chars > MAX_CHARS) {
      throw TemplateException.tooMuch(MAX_CHARS + " characters of a text");
    }
  }

  @Override
  public String toString() {
    return made.toString();
  }
}
