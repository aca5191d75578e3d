package io.cordwood.cli.question;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Exclusion;
import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.http.ApiParams;
import io.cordwood.query.fields.Extract;
import io.cordwood.query.fields.Where;
import io.cordwood.query.fields.WhereMatchers;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.PatternException;
import io.cordwood.query.match.PatternSpec;
import io.cordwood.query.match.PatternSpec.Extent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The patterns, by grep's flags. */
public final class PatternFlags implements Flags {
  /** Characters that most regular expressions have and few texts. */
  private static final Pattern OF_REGEX = Pattern.compile("[|*^$\\[\\\\]");

  /** More than that is refused anyway, whatever is in it. */
  private static final int MAX_FILE_BYTES =
      PatternSpec.MAX_TOTAL_BYTES + 2 * PatternSpec.MAX_PATTERNS;

  /** For commands that print only what matches, if they are asked to. */
  public static final Exclusion ONLY_MATCHES =
      new Exclusion(
          List.of("-o", "--only-matching"),
          List.of("-v", "--invert-match"),
          "what is left has no match");

  List<String> patterns = new ArrayList<>();
  List<String> patternFiles = new ArrayList<>();
  List<String> and = new ArrayList<>();
  Syntax syntax = new Syntax();

  /** How patterns are read. */
  static final class Syntax implements ExclusiveFlags {
    boolean fixed;
    boolean regex;

    @Override
    public void list(FlagList list) {
      list.flag("-F", "--fixed-strings")
          .help("Patterns are texts. This is the default.")
          .on(value -> fixed = value);
      list.flag("-E", "--extended-regexp")
          .help("Patterns are regular expressions (linear time: no back-references).")
          .on(value -> regex = value);
    }
  }

  Case letters = new Case();

  /** Which letters are the same. */
  static final class Case implements ExclusiveFlags {
    boolean ignored;

    boolean smart;

    @Override
    public void list(FlagList list) {
      list.flag("-i", "-y", "--ignore-case")
          .help("Letters match in either case.")
          .on(value -> ignored = value);
      list.flag("-S", "--smart-case")
          .help("The same, if no pattern has a capital letter.")
          .on(value -> smart = value);
    }
  }

  boolean word;

  boolean whole;

  boolean inverted;

  WhereFlag where = new WhereFlag();

  @Override
  public void list(FlagList list) {
    list.flag("-e", "--regexp")
        .label("PATTERN")
        .help("A pattern; given again, one more: what matches one of them is found.")
        .list(String.class, patterns, value -> patterns = value);
    list.flag("-f", "--file")
        .label("FILE")
        .help("Patterns, one a line, from a file or, if it is -, from standard input.")
        .list(String.class, patternFiles, value -> patternFiles = value);
    list.flag("--and")
        .label("PATTERN")
        .help("One that has to match as well; given again, each of them.")
        .list(String.class, and, value -> and = value);
    list.addAll(syntax);
    list.addAll(letters);
    list.flag("-w", "--word-regexp")
        .help("Only matches with no letter, digit or _ right before or after.")
        .on(value -> word = value);
    list.flag("-x", "--line-regexp")
        .help("Only matches that are whole records.")
        .on(value -> whole = value);
    list.flag("-v", "--invert-match")
        .help("The records that do not match.")
        .on(value -> inverted = value);
    list.addAll(where);
  }

  /** Whether something else has to be so, so that a pattern may be left out. */
  public boolean haveConditions() {
    return where.isGiven() || !and.isEmpty();
  }

  /**
   * The matcher for the pattern and for what fields have to be.
   *
   * @throws CommandException if one of them is none
   */
  public Matcher matcher(PatternSpec pattern) {
    Where conditions = where.where();
    return compiled(pattern, spec -> WhereMatchers.compile(spec, inverted, conditions));
  }

  /**
   * The fields' conditions.
   *
   * @throws CommandException if they say nothing that is understood
   */
  public Where conditions() {
    return where.where();
  }

  /**
   * Fields that are groups of regular expressions.
   *
   * @throws CommandException if an expression is none
   */
  public Extract extract() {
    return where.extract();
  }

  /** Whether the records are wanted that the matcher does not find. */
  public boolean takeOthers() {
    return inverted && !where.isGiven();
  }

  /** Whether the records are wanted that do not match. */
  public boolean areInverted() {
    return inverted;
  }

  /** The files of patterns, as they were given. */
  public List<String> files() {
    return List.copyOf(patternFiles);
  }

  /** Whether there are patterns, so that none is expected among the arguments. */
  public boolean areGiven() {
    return !patterns.isEmpty() || !patternFiles.isEmpty();
  }

  /** The patterns, those of the arguments as well; if there is none, one that is in all records. */
  public PatternSpec specOrAll(List<String> arguments) throws IOException {
    return spec(arguments.isEmpty() && !areGiven() ? List.of("") : arguments);
  }

  /** The patterns, and those of the arguments as well. */
  public PatternSpec spec(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>();
    arguments.forEach(argument -> addLines(argument, all));
    patterns.forEach(pattern -> addLines(pattern, all));
    for (String file : patternFiles) {
      all.addAll(read(file));
    }
    List<String> lines = new ArrayList<>();
    and.forEach(pattern -> addLines(pattern, lines));
    boolean cries = Stream.concat(all.stream(), lines.stream()).anyMatch(this::cries);
    boolean ignoreCase = letters.ignored || (letters.smart && !cries);
    Extent extent = whole ? Extent.RECORD : word ? Extent.WORD : Extent.PART;
    return new PatternSpec(all, syntax.regex, ignoreCase, extent, lines);
  }

  /** A line feed ends a pattern, as with every other grep. */
  private static void addLines(String argument, List<String> all) {
    if (ArgumentBytes.areLost(argument)) {
      throw new CommandException(
          "expected a pattern in UTF-8, found other bytes: \"%s\"; with -E, \\x{FFFD} finds bytes"
                  .formatted(argument)
              + " that are not UTF-8");
    }
    all.addAll(List.of(argument.split("\n", -1)));
  }

  /** The hint if nothing is found; empty if the patterns look like what they are. */
  public Optional<String> doubt(PatternSpec pattern) {
    boolean looksElse = pattern.patterns().stream().anyMatch(text -> OF_REGEX.matcher(text).find());
    return pattern.regex() || inverted || !looksElse
        ? Optional.empty()
        : Optional.of("the pattern was searched as a text; -E makes it a regular expression");
  }

  /** Adds which records are wanted. */
  public void addTo(QueryString query, PatternSpec pattern) {
    query.addPattern(pattern).addIf(ApiParams.INVERT, inverted);
    where.addTo(query);
  }

  /**
   * Compiled patterns.
   *
   * @throws CommandException if one of them is none
   */
  public static <T> T compiled(PatternSpec pattern, Function<PatternSpec, T> compile) {
    try {
      return compile.apply(pattern);
    } catch (PatternException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Whether a pattern asks for a capital letter; {@code \W} and {@code \p{L}} do not. */
  private boolean cries(String pattern) {
    String letters =
        syntax.regex ? pattern.replaceAll("\\\\([pP]\\{[^}]*\\}|[pP].|.)", "") : pattern;
    return letters.codePoints().anyMatch(Character::isUpperCase);
  }

  private static List<String> read(String file) throws IOException {
    byte[] bytes;
    if (Files.isDirectory(Path.of(file))) {
      throw new CommandException(file + ": expected a file of patterns, found a folder");
    }
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      bytes = in.readNBytes(MAX_FILE_BYTES + 1);
    }
    if (bytes.length > MAX_FILE_BYTES) {
      throw new CommandException(
          file + ": expected at most " + MAX_FILE_BYTES + " bytes of patterns, found more");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return lines(text);
    } catch (CharacterCodingException e) {
      throw new CommandException(file + ": expected patterns in UTF-8, found other bytes", e);
    }
  }

  /** Without what editors of Windows add: a mark at the start, and CR before LF. */
  private static List<String> lines(String text) {
    String plain = text.replaceFirst("^\uFEFF", "").replace("\r\n", "\n");
    List<String> lines = new ArrayList<>(List.of(plain.split("\n", -1)));
    if (lines.getLast().isEmpty()) {
      lines.removeLast();
    }
    return lines;
  }
}
