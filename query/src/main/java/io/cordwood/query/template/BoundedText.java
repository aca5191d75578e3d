package io.cordwood.query.template;

/** A text that is made of others, of {@link Template#MAX_CHARS} at most. */
final class BoundedText {
  private final StringBuilder made = new StringBuilder();

  BoundedText append(String text) {
    return append(text, 0, text.length());
  }

  BoundedText append(String text, int from, int to) {
    if (made.length() + (to - from) > Template.MAX_CHARS) {
      throw TemplateException.tooMuch(Template.MAX_CHARS + " characters of a text");
    }
    made.append(text, from, to);
    return this;
  }

  @Override
  public String toString() {
    return made.toString();
  }
}
