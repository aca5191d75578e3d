package io.cordwood.cli.search;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Exclusion;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.cli.question.PatternFlags;
import io.cordwood.cli.question.PriceFlags;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.match.PatternSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code cordwood grep}: the records of a node, or of files, that match.
 *
 * <pre>
 *   GrepFlags ──► PatternSpec ──┬──► NodeSearch ──────► NodeGrep   a node searches
 *                               ├──► FollowedSearch ──► NodeTail   all nodes, on and on
 *                               └──► FileSearch ──────► FileGrep   this process does
 * </pre>
 */
public final class GrepCommand implements Command {
  /** Flags that make no sense of a FILE. */
  private static final List<String> OF_NODES =
      List.of(
          "--node",
          "--from",
          "--to",
          "--around",
          "--topic",
          "--ulid",
          "--template",
          "--label-prefix",
          "--dry-run",
          PriceFlags.OF_REQUESTS,
          PriceFlags.OF_BYTES,
          "--follow",
          "--tail");

  /** Flags that make sense of a FILE only. */
  private static final List<String> OF_FILES =
      List.of(
          "--files-with-matches",
          "--files-without-match",
          "--with-filename",
          "--no-filename",
          GrepHabits.LINE_NUMBER);

  private static final List<Exclusion> EXCLUSIONS =
      List.of(
          PatternFlags.ONLY_MATCHES,
          new Exclusion(
              List.of("--follow"),
              List.of(
                  "-c",
                  "--count",
                  "-m",
                  "--max-count",
                  "-q",
                  "--quiet",
                  "--silent",
                  "--dry-run",
                  "--to",
                  "--until",
                  "--sort",
                  "--stats"),
              "what is followed has no end"),
          new Exclusion(
              List.of("--follow"),
              List.of("-A", "--after-context", "-B", "--before-context", "-C", "--context"),
              "context looks back"));

  private @Nullable CommandSpec spec;

  private List<String> arguments = new ArrayList<>();

  GrepFlags flags = new GrepFlags();

  @Override
  public void list(FlagList list) {
    list.synopsis(
        "cordwood grep [OPTIONS] PATTERN         records of a node",
        "       cordwood grep [OPTIONS] PATTERN FILE…   lines of files, records of segments");
    list.description("Print the records that contain PATTERN, in the order of their time.");
    list.footer(
        "",
        "TIME is 2026-01-31T12:00:00Z, 2026-01-31 12:00 or 14:05 (both local, or of --tz), today,",
        "yesterday, yesterday 14:00, now, 5m, 1 hour ago, -3d or now-3d (ago), a ULID, or seconds"
            + " or",
        "milliseconds since 1970.",
        "",
        "FILE may be packed by gzip or zstd, and may be a segment of a node; - is standard input.",
        "",
        "Exit code 0 if a record was found, 1 if none, 2 on error or if records may be missing:",
        "standard error says then which nodes did not answer, and what times that concerns.",
        "",
        "  cordwood grep --since 2h -E 'status=5[0-9][0-9]' | head",
        "  cordwood grep -i -e timeout -e refused /var/log/syslog*");
    spec = list.command();
    list.argument("0..*", "0..*")
        .label("PATTERN FILE")
        .help(
            "What to look for: a text, case and all, unless -E or -i; '' is every record. With -e "
                + "or -f there is no PATTERN, and all are FILEs; with --where alone there may be "
                + "none.")
        .list(String.class, arguments, value -> arguments = value);
    list.addAll(flags);
  }

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    Programs.mainOfShort("grep", new GrepCommand(), args);
  }

  @Override
  public List<Exclusion> exclusions() {
    return EXCLUSIONS;
  }

  @Override
  public String[] rewritten(String... args) {
    return GrepHabits.rewritten(args);
  }

  /** How many of the arguments are patterns; the others are files. */
  private int patterns() {
    boolean none = arguments.isEmpty() && flags.patterns.haveConditions();
    return none || flags.patterns.areGiven() ? 0 : 1;
  }

  @Override
  public Integer call() throws Exception {
    if (arguments.size() < patterns()) {
      throw new CommandException("expected a PATTERN, found none. See 'cordwood grep --help'.");
    }
    if (flags.onlyMatching && flags.context.areGiven()) {
      System.err.println(GrepFlags.NAME + ": -A, -B and -C have no effect with -o");
    }
    flags.habits.check();
    PatternSpec pattern = flags.patterns.specOrAll(arguments.subList(0, patterns()));
    List<String> files = files();
    int exitCode =
        files.isEmpty() ? searchNode(pattern) : searchFiles(pattern, files, new StandardOutput());
    if (exitCode == Programs.NONE && StandardOutput.isErrorTerminal()) {
      flags.patterns.doubt(pattern).ifPresent(GrepCommand::say);
    }
    return exitCode;
  }

  private List<String> files() {
    List<String> files = arguments.subList(patterns(), arguments.size());
    return files.isEmpty() && flags.ofFiles.areRecursive() ? List.of("") : files;
  }

  private static void say(String line) {
    System.err.println(GrepFlags.NAME + ": " + line);
  }

  private int searchNode(PatternSpec pattern) throws IOException, InterruptedException {
    refuse(
        OF_FILES,
        flag ->
            flag.equals(GrepHabits.LINE_NUMBER)
                ? "expected a FILE with -n, which numbers its lines, found none; of a node, -n N is"
                    + " the last N records"
                : "expected a FILE with " + flag + ", found none");
    sayIfPatternIsFile();
    return flags.follow
        ? new FollowedSearch(flags, pattern).run()
        : new NodeSearch(flags, pattern).run();
  }

  /** Hints that {@code -n 404 access.log} may have meant line numbers, and the pattern 404. */
  private void sayIfPatternIsFile() {
    if (flags.bound.last() != null && !arguments.isEmpty() && isFile(arguments.getFirst())) {
      say(
          "a node is asked for its last %d records with the text %s; the file is searched by"
                  .formatted(flags.bound.last(), arguments.getFirst())
              + " '%s --line-number %d %s'"
                  .formatted(GrepFlags.NAME, flags.bound.last(), arguments.getFirst()));
    }
  }

  static boolean isFile(String name) {
    try {
      return Files.isRegularFile(Path.of(name));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Searches files by what was taken of a command line, for another output. */
  int searchFiles(StandardOutput out) throws IOException {
    return searchFiles(flags.patterns.spec(arguments.subList(0, patterns())), files(), out);
  }

  private int searchFiles(PatternSpec pattern, List<String> files, StandardOutput out)
      throws IOException {
    refuse(
        OF_NODES,
        flag ->
            "expected no FILE with "
                + flag
                + ", which asks a node, found "
                + files.getFirst()
                + (flag.equals("-n") ? "; -n without a number numbers lines" : "")
                + (isFile(files.getFirst()) ? "" : "; --and TEXT --and TEXT finds what has both"));
    return new FileSearch(flags, pattern, files).run(out);
  }

  private void refuse(List<String> names, UnaryOperator<String> message) {
    refuse(spec, names, message);
  }

  /** Refuses flags that the command line has. What the environment sets is for when it fits. */
  static void refuse(
      @Nullable CommandSpec spec, List<String> names, UnaryOperator<String> message) {
    ParseResult line = Objects.requireNonNull(spec).commandLine().getParseResult();
    for (String name : names) {
      if (line.hasMatchedOption(name)) {
        throw new CommandException(message.apply(spec.findOption(name).names()[0]));
      }
    }
  }
}
