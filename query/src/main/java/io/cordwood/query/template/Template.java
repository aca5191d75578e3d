package io.cordwood.query.template;

import java.util.List;

/**
 * A text with actions in it: {@code {{.pod}}: {{.message | trunc 80}}{{if .error}}!{{end}}}. Making
 * a text never fails, but for its length: a function of a number that is none has 0 instead.
 * Immutable; safe for many threads.
 */
public final class Template {
  private final String text;
  private final List<Part> parts;

  private Template(String text, List<Part> parts) {
    this.text = text;
    this.parts = parts;
  }

  /**
   * Reads one.
   *
   * @throws TemplateException if it is none, or has something that is not supported
   */
  public static Template parse(String text) {
    return new Template(text, new TemplateParser(text).parts());
  }

  /** The value of one label. */
  public static Template ofLabel(String name) {
    return new Template("{{." + name + "}}", List.of(new Part.Shown(new Term.Label(name))));
  }

  /** The names of all functions that there are. */
  public static List<String> functions() {
    return Functions.names();
  }

  /** As it was written. */
  public String text() {
    return text;
  }

  /**
   * The text with values in it.
   *
   * @throws TemplateException if it is longer than {@link BoundedText#MAX_CHARS}
   */
  public String with(TemplateValues values) {
    var made = new BoundedText();
    parts.forEach(part -> part.write(values, made));
    return made.toString();
  }
}
