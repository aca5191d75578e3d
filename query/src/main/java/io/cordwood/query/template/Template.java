package io.cordwood.query.template;

import java.util.List;
import java.util.Set;

/**
 * A text with actions in it: {@code {{.pod}}: {{.message | trunc 80}}{{if .error}}!{{end}}}. Making
 * a text never fails, but for its length: a function of a number that is none has 0 instead.
 * Immutable; safe for many threads.
 */
public final class Template {
  private final String text;
  private final List<Part> parts;
  private final Set<String> labels;
  private final boolean ofRecord;
  private final int regexes;

  private Template(
      String text, List<Part> parts, Set<String> labels, boolean ofRecord, int regexes) {
    this.text = text;
    this.parts = parts;
    this.labels = labels;
    this.ofRecord = ofRecord;
    this.regexes = regexes;
  }

  /**
   * Reads one.
   *
   * @throws TemplateException if it is none, or has something that is not supported
   */
  public static Template parse(String text) {
    var parser = new TemplateParser(text);
    List<Part> parts = parser.parts();
    return new Template(text, parts, parser.labels(), parser.isOfRecord(), parser.regexes());
  }

  /** The value of one label. */
  public static Template ofLabel(String name) {
    List<Part> parts = List.of(new Part.Shown(new Term.Label(name)));
    return new Template("{{." + name + "}}", parts, Set.of(name), false, 0);
  }

  /** The names of all functions that there are. */
  public static List<String> functions() {
    return Functions.names();
  }

  /** The labels that it may be made of. */
  public Set<String> labels() {
    return labels;
  }

  /** Whether it needs the line or the time of a record. */
  public boolean isOfRecord() {
    return ofRecord;
  }

  /** How many regular expressions it has, each of which takes linear time. */
  public int regexes() {
    return regexes;
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
