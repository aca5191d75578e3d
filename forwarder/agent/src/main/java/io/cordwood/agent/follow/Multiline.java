package io.cordwood.agent.follow;

import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Which lines belong to the record before them. A pattern of one's own is that of a record's first
 * line, anything else continues it; the presets know what a language's runtime prints.
 *
 * @param spec as it was given, by which the same can be made again
 */
public record Multiline(String spec, Supplier<LineJoiner> joiners) {
  /** Each line is a record. */
  public static final Multiline NONE = new Multiline("", () -> _ -> LineJoiner.Bond.BEGINS);

  /**
   * Reads the name of a preset, or a pattern.
   *
   * @throws IllegalArgumentException when the text is neither a preset nor a pattern
   */
  public static Multiline parse(String text) {
    return switch (text) {
      case "" -> NONE;
      case "dotnet" -> new Multiline(text, Trace::dotnet);
      case "go" -> new Multiline(text, Trace::go);
      case "java" -> new Multiline(text, Trace::java);
      case "node" -> new Multiline(text, Trace::node);
      case "php" -> new Multiline(text, Trace::php);
      case "python" -> new Multiline(text, PythonTrace::new);
      case "ruby" -> new Multiline(text, Trace::ruby);
      case "rust" -> new Multiline(text, Trace::rust);
      default -> ofFirstLine(text);
    };
  }

  private static Multiline ofFirstLine(String text) {
    if (text.chars().allMatch(Character::isLetter)) {
      throw new IllegalArgumentException(
          "--multiline: expected dotnet, go, java, node, php, python, ruby, rust or a pattern of a"
              + " record's first line, such as '^[0-9]{4}-', found "
              + text);
    }
    try {
      Pattern first = Pattern.compile(text);
      return new Multiline(
          text,
          () ->
              line -> first.matcher(line).find() ? LineJoiner.Bond.BEGINS : LineJoiner.Bond.JOINS);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "--multiline: expected a regular expression, found " + text + ": " + e.getDescription(),
          e);
    }
  }

  boolean isNone() {
    return spec.isEmpty();
  }
}
