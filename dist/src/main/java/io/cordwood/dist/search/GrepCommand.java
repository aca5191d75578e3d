package io.cordwood.dist.search;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.segment.Delimiter;
import io.cordwood.dist.client.AskedNodes;
import io.cordwood.dist.client.NodeGrep;
import io.cordwood.dist.client.NodeTail;
import io.cordwood.dist.client.ProgressFlag;
import io.cordwood.dist.client.ProgressLine;
import io.cordwood.dist.files.FileFlags;
import io.cordwood.dist.files.FileGrep;
import io.cordwood.dist.program.CommandException;
import io.cordwood.dist.program.Programs;
import io.cordwood.dist.program.QuickCommand;
import io.cordwood.dist.program.QuickFlags;
import io.cordwood.dist.program.QuickStart;
import io.cordwood.dist.question.BoundFlags;
import io.cordwood.dist.question.ContextFlags;
import io.cordwood.dist.question.DelimiterFlag;
import io.cordwood.dist.question.NodeFlags;
import io.cordwood.dist.question.PatternFlags;
import io.cordwood.dist.question.QueryString;
import io.cordwood.dist.records.RawFlag;
import io.cordwood.dist.records.RecordForm;
import io.cordwood.dist.records.RecordOutput;
import io.cordwood.dist.records.RecordPrinter;
import io.cordwood.dist.terminal.ColourFlag;
import io.cordwood.dist.terminal.CtrlC;
import io.cordwood.dist.terminal.PagerFlag;
import io.cordwood.dist.terminal.StandardOutput;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.Parts;
import io.cordwood.query.match.PatternSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * {@code cordwood grep}: the records of a node, or of files, that match.
 *
 * <pre>
 *   PatternFlags ──► PatternSpec ──► NodeGrep   a node searches
 *                         └────────► FileGrep   this process does
 * </pre>
 */
@Command(
    sortOptions = false,
    customSynopsis = {
      "cordwood grep [OPTIONS] PATTERN         records of a node",
      "       cordwood grep [OPTIONS] PATTERN FILE…   lines of files, records of segments"
    },
    description = "Print the records that contain PATTERN, in the order of their time.",
    footer = {
      "",
      "TIME is 2026-01-31T12:00:00Z, 2026-01-31 12:00 or 14:05 (both local, or of --tz), today,",
      "yesterday, now, 5m, 2h30m, -3d or now-3d (ago), or seconds or milliseconds since 1970.",
      "",
      "FILE may be packed by gzip or zstd, and may be a segment of a node; - is standard input.",
      "",
      "Exit code 0 if a record was found, 1 if none, 2 on error or if records may be missing:",
      "standard error says then which nodes did not answer, and what times that concerns.",
      "",
      "  cordwood grep --since 2h -E 'status=5[0-9][0-9]' | head",
      "  cordwood grep -i -e timeout -e refused /var/log/syslog*"
    })
public final class GrepCommand implements QuickCommand {
  private static final String NAME = "cordwood grep";

  /** Flags that make no sense of a FILE. */
  private static final List<String> OF_NODES =
      List.of(
          "--node",
          "--from",
          "--to",
          "--topic",
          "--stats",
          "--ulid",
          "--json",
          "--template",
          "--dry-run",
          "--follow",
          "--tail");

  /** Flags that make sense of a FILE only. */
  private static final List<String> OF_FILES =
      List.of("--files-with-matches", "--files-without-match", "--with-filename", "--no-filename");

  /** Null if the command line was read without picocli. */
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN FILE",
      description = {
        "What to look for: a text, case and all, unless -E or -i; '' is every record.",
        "With -e or -f there is none, and all are FILEs."
      })
  private List<String> arguments = new ArrayList<>();

  @Mixin private PatternFlags patterns = new PatternFlags();

  @Mixin private BoundFlags bound = new BoundFlags();
  @Mixin private AskedNodes nodes = new AskedNodes();
  @Mixin private NodeFlags nodeFlags = new NodeFlags();
  @Mixin private FileFlags fileFlags = new FileFlags();

  @Mixin private Form form = new Form();

  /** What is printed of each record. */
  static final class Form extends RecordForm {
    @Option(
        names = {"-c", "--count"},
        description = "Only the number of records.")
    boolean count;

    @Option(names = "--dry-run", description = "Only statistics of what would be read.")
    boolean dryRun;

    @Override
    public boolean take(String flag) {
      switch (flag) {
        case "-c", "--count" -> count = true;
        case "--dry-run" -> dryRun = true;
        default -> {
          return super.take(flag);
        }
      }
      return true;
    }

    boolean isOfNodes() {
      return format() != null || dryRun;
    }
  }

  @Option(
      names = {"-o", "--only-matching"},
      description = "Only what matches, each on a line: the longest match at the leftmost place.")
  private boolean onlyMatching;

  @Option(
      names = {"-q", "--quiet", "--silent"},
      description = "Nothing is printed: the exit code says whether there is a match.")
  private boolean quiet;

  @Option(
      names = "--follow",
      description = "Go on with records as they are received, until Ctrl-C.")
  private boolean follow;

  @Mixin private ContextFlags context = new ContextFlags();

  @Mixin private DelimiterFlag delimiter = new DelimiterFlag();

  @Mixin private ColourFlag colour = new ColourFlag();

  @Mixin private RawFlag raw = new RawFlag();
  @Mixin private PagerFlag pager = new PagerFlag();
  @Mixin private ProgressFlag progress = new ProgressFlag();

  /** Runs this command as a program of its own. */
  public static void main(String[] args) {
    QuickStart.runIfUsual("grep", new GrepCommand(), args);
    Programs.main("grep", new GrepCommand(), args);
  }

  @Override
  public List<QuickFlags> mixins() {
    return List.of(
        patterns, form, nodes, bound, nodeFlags, context, fileFlags, delimiter, colour, raw, pager,
        progress);
  }

  @Override
  public boolean take(String flag) {
    switch (flag) {
      case "-o", "--only-matching" -> onlyMatching = true;
      case "-q", "--quiet", "--silent" -> quiet = true;
      case "--follow" -> follow = true;
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean takeArguments(List<String> taken) {
    arguments.addAll(taken);
    return patterns.areGiven() || !arguments.isEmpty();
  }

  @Override
  public boolean asksNode() {
    return arguments.size() <= (patterns.areGiven() ? 0 : 1);
  }

  @Override
  public Integer call() throws Exception {
    int own = patterns.areGiven() ? 0 : 1;
    if (arguments.size() < own) {
      throw new CommandException("expected a PATTERN, found none. See 'cordwood grep --help'.");
    }
    if (onlyMatching && patterns.areInverted()) {
      throw new CommandException("expected -o or -v, found both: what is left has no match");
    }
    if (onlyMatching && context.areGiven()) {
      System.err.println("cordwood grep: -A, -B and -C have no effect with -o");
    }
    PatternSpec pattern = patterns.spec(arguments.subList(0, own));
    List<String> files = arguments.subList(own, arguments.size());
    return files.isEmpty() ? searchNode(pattern) : searchFiles(pattern, files);
  }

  private int searchNode(PatternSpec pattern) throws IOException, InterruptedException {
    if (isOnLine(OF_FILES, fileFlags.areGiven())) {
      throw new CommandException("expected a FILE with -l, -L, -H or -h, found none");
    }
    if (follow) {
      return follow(pattern);
    }
    var manner = new NodeGrep.Manner(form.dryRun, nodeFlags.stats(), quiet);
    boolean paged = !form.count && !form.dryRun && !quiet;
    StandardOutput out = paged ? pager.output() : new StandardOutput();
    ProgressLine line = form.dryRun ? null : progress.line(out);
    try {
      int exitCode = new NodeGrep(nodes, manner, line).run(query(pattern), output(pattern, out));
      if (StandardOutput.isErrorTerminal()) {
        sayIfInputIsUnread();
      }
      return exitCode;
    } catch (IOException e) {
      sayIfInputIsUnread();
      throw e;
    }
  }

  private void sayIfInputIsUnread() {
    if (!nodes.areGiven()) {
      StandardInput.sayIfUnread(NAME);
    }
  }

  private NodeGrep.Output output(PatternSpec pattern, StandardOutput out) {
    if (quiet) {
      return body -> body.transferTo(OutputStream.nullOutputStream());
    } else if (!isShownHere()) {
      return NodeGrep.plain(raw.output(out));
    }
    RecordPrinter printer = raw.printer(style(pattern), out);
    return NodeGrep.records(new RecordOutput(NAME, printer, form, nodeFlags.zone()), printer);
  }

  /** Whether the node's bytes do not pass as they are, but records are shown in another way. */
  private boolean isShownHere() {
    boolean ofRecords = !form.count && !form.isJson() && !form.dryRun && !quiet;
    return ofRecords && (form.isTemplate() || delimiter.isNul() || isColoured());
  }

  private boolean isColoured() {
    return colour.parameters() != null && !patterns.areInverted();
  }

  /** All that matches, and what comes, as tail does. */
  private int follow(PatternSpec pattern) throws IOException, InterruptedException {
    if (form.count || form.dryRun || quiet || bound.first() != null) {
      throw new CommandException(
          "expected --follow without -c, -m, -q or --dry-run: it has no end");
    }
    if (context.areGiven()) {
      throw new CommandException("expected --follow without -A, -B and -C: they look back");
    }
    String begin =
        bound.last() == null
            ? ApiParams.FROM_ULID + "=" + nodeFlags.positionToFollow()
            : ApiParams.LINES + "=" + bound.last();
    var query = new QueryString();
    patterns.addTo(query, pattern);
    nodeFlags.topics().addTo(query);
    query.add(ApiParams.ALIVE, "true").add(ApiParams.FORMAT, "json");
    CtrlC.endsWith(Programs.SUCCESS);
    try (RecordPrinter printer = raw.printer(style(pattern), new StandardOutput())) {
      var output = new RecordOutput(NAME, printer, form, nodeFlags.zone());
      new NodeTail(NAME, nodes.addresses(), query.toString(), begin, output).run();
    } catch (StandardOutput.ClosedException e) {
      // Whoever read has enough.
    }
    return Programs.SUCCESS;
  }

  private QueryString query(PatternSpec pattern) {
    var query = new QueryString();
    patterns.addTo(query, pattern);
    query
        .addIf(ApiParams.ONLY_MATCHING, onlyMatching && !isShownHere())
        .addIf(ApiParams.COUNT, form.count)
        .addIfThere(ApiParams.FORMAT, isShownHere() ? "json" : form.format());
    nodeFlags.addTo(query);
    if (quiet) {
      return query.add(ApiParams.LIMIT, "1");
    }
    bound.addTo(query);
    if (!onlyMatching) {
      context.addTo(query);
    }
    return query;
  }

  private int searchFiles(PatternSpec pattern, List<String> files) throws IOException {
    if (isOnLine(OF_NODES, asksOfNodes())) {
      throw new CommandException(
          "expected files or a node's records, found a FILE and a flag that asks a node, one of "
              + String.join(" ", OF_NODES));
    }
    var wanted =
        new FileGrep.Wanted(
            patterns.areInverted(),
            show(),
            fileFlags.isPrefixed(files.size()),
            fileFlags.endNamesByNul(),
            fileFlags.areSilent(),
            delimiter.value(),
            Objects.requireNonNullElse(bound.first(), Long.MAX_VALUE),
            onlyMatching ? 0 : context.before(),
            onlyMatching ? 0 : context.after());
    try (RecordPrinter printer = raw.printer(style(pattern), new StandardOutput())) {
      return new FileGrep(PatternFlags.compiled(pattern, Matchers::compile), wanted, printer)
          .run(files);
    } catch (StandardOutput.ClosedException e) {
      return Programs.SUCCESS;
    }
  }

  private FileGrep.Show show() {
    FileGrep.Show usual = form.count ? FileGrep.Show.COUNT : FileGrep.Show.RECORDS;
    return quiet ? FileGrep.Show.NOTHING : fileFlags.show(usual);
  }

  private boolean asksOfNodes() {
    boolean asked = nodes.areGiven() || nodeFlags.areGiven();
    return asked || form.isOfNodes() || bound.last() != null || follow;
  }

  /**
   * Whether the command line has one of the flags. What the environment sets is for when it fits.
   *
   * @param otherwise the answer if the command line was read without picocli
   */
  private boolean isOnLine(List<String> flags, boolean otherwise) {
    if (spec == null) {
      return otherwise;
    }
    ParseResult line = spec.commandLine().getParseResult();
    return flags.stream().anyMatch(line::hasMatchedOption);
  }

  private RecordPrinter.Style style(PatternSpec pattern) {
    boolean shown = onlyMatching || isColoured();
    Parts parts = shown ? PatternFlags.compiled(pattern, Parts::of) : null;
    String parameters = isColoured() ? colour.parameters() : null;
    byte end = form.isJson() ? Delimiter.LF.value() : delimiter.value();
    return new RecordPrinter.Style(parts, onlyMatching, parameters, end);
  }
}
