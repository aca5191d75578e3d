package io.cordwood.agent.follow;

import java.util.regex.Pattern;

/**
 * Joins the lines of a stack trace to a record. A trace begins with a message, perhaps of several
 * lines, and goes on with frames. What a logger writes is another record; unknown lines belong to
 * the message if a frame follows.
 */
final class Trace implements LineJoiner {
  /** No line is like that. */
  private static final String NONE = "(?!)";

  private final Language language;
  private Part part = Part.BEFORE;
  private boolean hasLogLine;
  private boolean isUnsure;
  private boolean isMessageNext;

  private enum Part {
    BEFORE,
    MESSAGE,
    FRAMES
  }

  /**
   * How a runtime prints; each pattern is for a line's beginning.
   *
   * @param begins a trace that no logger wrote, so that it is a record of its own
   * @param starts a trace that a logger wrote, or of its own
   * @param causes go on with a trace, with another message
   * @param more goes on with a message
   * @param frame goes on with a trace, and ends its message
   * @param inside goes on with a trace
   * @param place the first line of a trace whose message is in the next one
   * @param inLogLine can be anywhere in a logger's line that a trace follows
   */
  private record Language(
      Pattern begins,
      Pattern starts,
      Pattern causes,
      Pattern more,
      Pattern frame,
      Pattern inside,
      Pattern place,
      Pattern inLogLine) {
    Language(
        String begins,
        String starts,
        String causes,
        String more,
        String frame,
        String inside,
        String place,
        String inLogLine) {
      this(
          Pattern.compile(begins),
          Pattern.compile(starts),
          Pattern.compile(causes),
          Pattern.compile(more),
          Pattern.compile(frame),
          Pattern.compile(inside),
          Pattern.compile(place),
          Pattern.compile(inLogLine));
    }
  }

  private static final Language JAVA =
      new Language(
          "Exception in thread \"",
          "(?:[a-z][\\w$]*\\.)+[\\w$.]*(?:Exception|Error|Throwable|Failure|Fault)\\b"
              + "|Full thread dump ",
          "Caused by: |Wrapped by: |Suppressed: |\\[CIRCULAR REFERENCE",
          NONE,
          "\\s+(?:at |\\.\\.\\. \\d+ |- )|\\.\\.\\. \\d+ (?:more|common|lines|frames)",
          "\"[^\"]+\" (?:#\\d+|daemon|prio=|os_prio=)|JNI global ref|Found \\w+ Java-level deadlock"
              + "|Java stack information for|=+$",
          NONE,
          NONE);

  private static final Language DOTNET =
      new Language(
          "Unhandled exception",
          "(?:[A-Z]\\w*\\.)+[\\w+`]*(?:Exception|Error)\\b",
          "--->",
          NONE,
          "\\s+(?:at |--- End of )|--- End of ",
          "<---",
          NONE,
          NONE);

  private static final Language NODE =
      new Language(
          "node:|(?:file://)?/\\S+:\\d+$|[A-Za-z]:\\\\.*:\\d+$|(?:undefined|\\[\\w+\\]):\\d+$"
              + "|Uncaught\\b|\\(node:\\d+\\) |<--- Last few GCs",
          "\\[?[A-Za-z_$][\\w$.]*(?:Error|Exception)(?: \\[\\w+\\])?(?::|$)|\\[?Error(?::|$| \\[)",
          "Thrown at:|Emitted '\\w+' event ",
          "\\^+$|throw |Require stack:|- /|<--- JS stacktrace|FATAL ERROR: ",
          "\\s+at |Node\\.js v[\\d.]+$|\\(Use `node ",
          "[}\\])]|----- Native stack trace|(?:Require stack|- /)",
          NONE,
          NONE);

  private static final Language GO =
      new Language(
          "panic: |fatal error: |SIG[A-Z]+: |runtime: |unexpected fault address"
              + "|goroutine profile: |={10,}$|WARNING: DATA RACE",
          NONE,
          NONE,
          "fatal error: |runtime: |\\[signal |PC=0x|runtime stack:|=+$|unexpected fault"
              + "|WARNING: DATA RACE",
          "[Gg]oroutine \\d+ |runtime stack:|\\d+ @ 0x"
              + "|(?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite) at 0x",
          "[^\\s(]+\\(.*\\)$|created by |\\[signal |exit status \\d|\\[originating from "
              + "|\\.\\.\\.(?:additional|\\d+) frames|[a-z][a-z0-9]{1,5}\\s+0x[0-9a-f]+$|#\\s+0x"
              + "|goroutine running on|-+$|=+$|FAIL\\t|Found \\d+ data race",
          NONE,
          "\\bpanic\\b|fatal error: ");

  private static final Language PHP =
      new Language(
          NONE,
          "PHP (?:Fatal|Parse|Recoverable)|(?:Fatal|Parse) error: |[\\w\\\\]+(?:Exception|Error): ",
          "Next [\\w\\\\]+(?:: | in )|\\[previous exception\\]",
          NONE,
          "(?:PHP )?Stack trace:|#\\d+ |PHP +\\d+\\. |\\[stacktrace\\]|\\s+thrown in ",
          "thrown in |\"\\}",
          NONE,
          "Uncaught |\"exception\":|PHP Fatal error");

  private static final Language RUBY =
      new Language(
          NONE,
          "\\S+:\\d+:in [`'].*['`]: .*|[A-Z][\\w:]*(?:Error|Exception)(?:: | \\()"
              + "|Traceback \\(most",
          "Caused by:|Causes:",
          "Did you mean\\?",
          "\\s+(?:\\d+: )?from |\\s*\\S+:\\d+:in [`']",
          "Did you mean\\?",
          NONE,
          "\\b[A-Z]\\w+(?:Error|Exception)\\b");

  private static final Language RUST =
      new Language(
          "thread '.*' (?:\\(\\d+\\) )?(?:panicked at|has overflowed)|Error: ",
          NONE,
          "Caused by:|Stack backtrace:|Location:|Backtrace:",
          "fatal runtime error: ",
          "stack backtrace:|\\s+\\d+: |\\s+at |note: (?:run with|Some details)",
          "note: |fatal runtime error: ",
          "thread '.*panicked at .*:$",
          NONE);

  private Trace(Language language) {
    this.language = language;
  }

  static Trace java() {
    return new Trace(JAVA);
  }

  static Trace dotnet() {
    return new Trace(DOTNET);
  }

  static Trace node() {
    return new Trace(NODE);
  }

  static Trace go() {
    return new Trace(GO);
  }

  static Trace php() {
    return new Trace(PHP);
  }

  static Trace ruby() {
    return new Trace(RUBY);
  }

  static Trace rust() {
    return new Trace(RUST);
  }

  @Override
  public void begin(CharSequence line) {
    hasLogLine = LogLine.isFirst(line);
    isUnsure = false;
    boolean isMessage =
        is(language.begins, line)
            || is(language.starts, line)
            || language.inLogLine.matcher(line).find();
    part = is(language.frame, line) ? Part.FRAMES : isMessage ? Part.MESSAGE : Part.BEFORE;
    isMessageNext = is(language.place, line);
  }

  private static boolean is(Pattern pattern, CharSequence line) {
    return pattern.matcher(line).lookingAt();
  }

  @Override
  public Bond bond(CharSequence line) {
    boolean isMessage = isMessageNext;
    isMessageNext = false;
    Bond bond = isMessage ? Bond.JOINS : bondOf(line);
    isUnsure = bond == Bond.PERHAPS;
    return bond;
  }

  private Bond bondOf(CharSequence line) {
    if (is(language.frame, line) && !isAnotherTrace(line)) {
      part = Part.FRAMES;
      return Bond.JOINS;
    }
    if (Character.isWhitespace(line.charAt(0))) {
      return isUnsure ? Bond.PERHAPS : Bond.JOINS;
    }
    if (part != Part.BEFORE && is(language.causes, line)) {
      part = Part.MESSAGE;
      return Bond.JOINS;
    }
    if ((part == Part.MESSAGE && is(language.more, line))
        || (part != Part.BEFORE && is(language.inside, line))) {
      return Bond.JOINS;
    }
    return is(language.begins, line) ? Bond.BEGINS : unknown(line);
  }

  private boolean isAnotherTrace(CharSequence line) {
    return part == Part.FRAMES && is(language.starts, line);
  }

  private Bond unknown(CharSequence line) {
    if (is(language.starts, line)) {
      boolean isSure = part == Part.BEFORE || hasLogLine;
      if (part == Part.FRAMES) {
        return Bond.BEGINS;
      }
      part = Part.MESSAGE;
      return isSure ? Bond.JOINS : Bond.PERHAPS;
    }
    if (part == Part.FRAMES || LogLine.isFirst(line)) {
      return Bond.BEGINS;
    }
    if (part == Part.MESSAGE) {
      return hasLogLine && !isUnsure ? Bond.JOINS : Bond.PERHAPS;
    }
    return hasLogLine ? Bond.PERHAPS : Bond.BEGINS;
  }
}
