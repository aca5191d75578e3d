package io.cordwood.agent.follow;

import java.util.regex.Pattern;

/**
 * Joins the lines of Python's tracebacks. The exception is the first line after the frames that is
 * not indented, whatever its name; its message may have further lines, which are known only where a
 * logger's line begins the next record.
 */
final class PythonTrace implements LineJoiner {
  private static final Pattern TRACEBACK =
      Pattern.compile("(?:Traceback|Stack) \\(most recent call last\\):");

  private static final Pattern CHAIN =
      Pattern.compile("During handling of the above |The above exception was the |\"\"\"$");

  private static final Pattern BEGINS =
      Pattern.compile(
          "Exception ignored in|Exception in thread |Fatal Python error: |--- Logging error ---"
              + "|[\\w.]*RemoteTraceback: ?$|Process \\S+:$");

  private static final Pattern INSIDE =
      Pattern.compile(
          "Current thread 0x|Thread 0x|Extension modules: |Python runtime state: |Call stack:"
              + "|Message: |Arguments: |(?:Syntax|Indentation|Tab)Error: |\"\"\"$");

  private enum Part {
    BEFORE,
    FRAMES,
    EXCEPTION,
    CHAIN
  }

  private Part part = Part.BEFORE;
  private boolean hasLogLine;
  private boolean isOwn;

  @Override
  public void begin(CharSequence line) {
    hasLogLine = LogLine.isFirst(line);
    isOwn = is(BEGINS, line) || Character.isWhitespace(line.charAt(0));
    part = is(TRACEBACK, line) ? Part.FRAMES : Part.BEFORE;
  }

  private static boolean is(Pattern pattern, CharSequence line) {
    return pattern.matcher(line).lookingAt();
  }

  @Override
  public Bond bond(CharSequence line) {
    if (is(TRACEBACK, line)) {
      boolean isAnother = part == Part.FRAMES || part == Part.EXCEPTION;
      part = Part.FRAMES;
      return isAnother ? Bond.BEGINS : Bond.JOINS;
    }
    if (Character.isWhitespace(line.charAt(0))) {
      return Bond.JOINS;
    }
    if (is(CHAIN, line) && (part == Part.EXCEPTION || isOwn)) {
      part = Part.CHAIN;
      return Bond.JOINS;
    }
    if (is(INSIDE, line) && (part == Part.EXCEPTION || isOwn)) {
      return Bond.JOINS;
    }
    if (part == Part.FRAMES) {
      part = Part.EXCEPTION;
      return Bond.JOINS;
    }
    boolean isMessage = part == Part.EXCEPTION && hasLogLine;
    return isMessage && !is(BEGINS, line) && !LogLine.isFirst(line) ? Bond.JOINS : Bond.BEGINS;
  }
}
