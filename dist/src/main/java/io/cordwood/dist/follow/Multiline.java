package io.cordwood.dist.follow;

import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Which lines belong to the record before them. A pattern of one's own is that of a record's first
 * line, anything else continues it; the presets know what a language's runtime prints.
 *
 * @param spec as it was given, by which the same can be made again
 */
public record Multiline(String spec, Supplier<Joiner> joiners) {
  /** Each line is a record. */
  public static final Multiline NONE = new Multiline("", () -> _ -> false);

  /** Decides line by line; it remembers what it saw of the record so far. */
  interface Joiner {
    /** Whether a line that is not blank, and not a record's first, goes on with it. */
    boolean continues(CharSequence line);

    /** A record begins. */
    default void begin(CharSequence line) {}
  }

  private static final String CAUSES =
      "|Caused by: |Suppressed: |\\.\\.\\. \\d+ (?:more|common)"
          + "|(?:[a-z][\\w$]*\\.)+[\\w$.]*(?:Exception|Error|Throwable|Failure)\\b";

  private static final Pattern JAVA = Pattern.compile("^(?:\\s" + CAUSES + ")");

  private static final Pattern NODE =
      Pattern.compile("^(?:\\s|\\}|[A-Za-z]*Error(?::| \\[)|Node\\.js v\\d)");

  private static final Pattern GO_TRACE = Pattern.compile("\\bpanic\\b|^fatal error: ");
  private static final Pattern GO_STACK = Pattern.compile("^goroutine \\d+ \\[");

  private static final Pattern GO_INSIDE =
      Pattern.compile(
          "^(?:created by |\\[signal |exit status \\d|panic: |[\\w./*()\\[\\]-]+\\(.*\\)$)");

  /**
   * Reads the name of a preset, or a pattern.
   *
   * @throws IllegalArgumentException when the text is neither a preset nor a pattern
   */
  public static Multiline parse(String text) {
    return switch (text) {
      case "" -> NONE;
      case "java" -> new Multiline(text, () -> line -> JAVA.matcher(line).find());
      case "node" -> new Multiline(text, () -> line -> NODE.matcher(line).find());
      case "python" -> new Multiline(text, Python::new);
      case "go" -> new Multiline(text, Go::new);
      default -> ofFirstLine(text);
    };
  }

  private static Multiline ofFirstLine(String text) {
    if (text.chars().allMatch(Character::isLetter)) {
      throw new IllegalArgumentException(
          "--multiline: expected java, python, go, node or a pattern of a record's first line, such"
              + " as '^[0-9]{4}-', found "
              + text);
    }
    try {
      Pattern first = Pattern.compile(text);
      return new Multiline(text, () -> line -> !first.matcher(line).find());
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "--multiline: expected a regular expression, found " + text + ": " + e.getDescription(),
          e);
    }
  }

  boolean isNone() {
    return spec.isEmpty();
  }

  /** A traceback ends with the first line that is not indented, whatever the exception's name. */
  private static final class Python implements Joiner {
    private static final String TRACEBACK = "Traceback (most recent call last):";

    private boolean inTraceback;
    private boolean afterTraceback;

    @Override
    public void begin(CharSequence line) {
      inTraceback = isTraceback(line);
      afterTraceback = false;
    }

    private static boolean isTraceback(CharSequence line) {
      return line.toString().startsWith(TRACEBACK);
    }

    @Override
    public boolean continues(CharSequence line) {
      if (isTraceback(line)) {
        inTraceback = true;
        return true;
      }
      if (Character.isWhitespace(line.charAt(0))) {
        return true;
      }
      if (inTraceback) {
        inTraceback = false;
        afterTraceback = true;
        return true;
      }
      String text = line.toString();
      return afterTraceback
          && (text.startsWith("During handling of the above")
              || text.startsWith("The above exception was"));
    }
  }

  /** The lines of functions look like any other, so that they count in a trace only. */
  private static final class Go implements Joiner {
    private boolean inTrace;

    @Override
    public void begin(CharSequence line) {
      inTrace = GO_TRACE.matcher(line).find() || GO_STACK.matcher(line).find();
    }

    @Override
    public boolean continues(CharSequence line) {
      if (Character.isWhitespace(line.charAt(0))) {
        return true;
      }
      boolean isStack = GO_STACK.matcher(line).find();
      boolean continues = isStack || (inTrace && GO_INSIDE.matcher(line).find());
      inTrace |= isStack;
      return continues;
    }
  }
}
