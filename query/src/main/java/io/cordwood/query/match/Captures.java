package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression whose groups have names, for what they match: in the leftmost match, and of
 * several there the one that Perl would find. {@link CaptureRun} finds it in records. Immutable;
 * safe for many threads.
 */
public final class Captures {
  /** The most instructions: work for a record is at most its bytes × these. */
  static final int MAX_INSTRUCTIONS = 1000;

  private final Program program;
  private final List<String> names;
  private final List<AnyOf> required;
  private final @Nullable LiteralCaptures literals;
  private final boolean[] begins = new boolean[256];
  private final boolean mayBeEmpty;

  private Captures(
      Program program,
      List<String> names,
      List<AnyOf> required,
      @Nullable LiteralCaptures literals) {
    this.program = program;
    this.names = List.copyOf(names);
    this.required = required;
    this.literals = literals;
    this.mayBeEmpty = markBegins();
  }

  /**
   * Compiles an expression.
   *
   * @throws PatternException if it is none, is too long or too large, or a name is there twice
   */
  public static Captures of(String regex) {
    List<AnyOf> required = Matchers.compile(PatternSpec.regex(regex)).required();
    List<String> names = new ArrayList<>();
    RegexNode node = RegexParser.parseGroups(regex, names);
    Program program = RegexCompiler.compile(node);
    if (program.size() > MAX_INSTRUCTIONS) {
      throw PatternException.tooMuch(
          "pattern: expected a program of at most %d instructions, found %d"
              .formatted(MAX_INSTRUCTIONS, program.size()));
    }
    return new Captures(program, names, required, LiteralCapturesReader.read(node).orElse(null));
  }

  /** This one, found by its program even if it is made of literals. */
  Captures byProgram() {
    return new Captures(program, names, required, null);
  }

  /** The names of the groups, in the order of the expression. */
  public List<String> names() {
    return names;
  }

  /** As {@link Matcher#required}. */
  public List<AnyOf> required() {
    return required;
  }

  Program program() {
    return program;
  }

  /** A faster way to find it; null if there is none. */
  @Nullable LiteralCaptures literals() {
    return literals;
  }

  /** Whether a match may begin at this place of a record; -1 is its end. */
  boolean mayBegin(int following) {
    return mayBeEmpty || (following >= 0 && begins[following]);
  }

  /** Marks the bytes with which matches begin; gives whether one may be without any. */
  private boolean markBegins() {
    var seen = new ThreadSet(program.size());
    boolean isEmpty = false;
    seen.add(program.body());
    for (int i = 0; i < seen.size(); i++) {
      int pc = seen.get(i);
      switch (program.op(pc)) {
        case RANGE -> {
          for (int b = program.first(pc); b <= program.last(pc); b++) {
            begins[b] = true;
          }
        }
        case SPLIT -> {
          seen.add(program.next(pc));
          seen.add(program.other(pc));
        }
        case ASSERT, SAVE -> seen.add(program.next(pc));
        case MATCH -> isEmpty = true;
      }
    }
    return isEmpty;
  }
}
