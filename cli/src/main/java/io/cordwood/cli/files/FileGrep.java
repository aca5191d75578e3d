package io.cordwood.cli.files;

import io.cordwood.cli.program.Programs;
import io.cordwood.cli.records.RecordPrinter;
import io.cordwood.cli.terminal.StandardOutput;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Records;
import io.cordwood.query.match.SubMatches;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches files, one after the other, with the habits of grep. What cannot be read is said on
 * standard error, and the next file is searched. One thread.
 */
public final class FileGrep {
  private final Matcher matcher;
  private final Wanted wanted;
  private final RecordPrinter printer;
  private final FileContext context;
  private long matches;
  private long files;
  private long bytes;
  private boolean failed;

  /** The output for a file. */
  public enum Show {
    RECORDS,
    COUNT,
    /** Its name, if a record is found. */
    NAME,
    /** Its name, if none is. */
    NAME_OF_OTHERS,
    NOTHING
  }

  /** Numbers of records to print before each match and after it. */
  public record Context(int before, int after) {
    public static final Context NONE = new Context(0, 0);
  }

  /**
   * The search of each file.
   *
   * @param invert whether the records that do not match are
   * @param show what is printed
   * @param label what stands before each line
   * @param silent whether nothing is said of files that cannot be read
   * @param delimiter of the records
   * @param first at most this number of records
   * @param subMatches what of a record is given as JSON; null: all of it
   */
  public record Wanted(
      boolean invert,
      Show show,
      LineLabel label,
      boolean silent,
      byte delimiter,
      long first,
      Context context,
      @Nullable SubMatches subMatches) {
    private FileContext shownContext() {
      Context shown = show == Show.RECORDS ? context : Context.NONE;
      return new FileContext(shown.before, shown.after, label.needsNumbers());
    }

    private long mostOfFile() {
      boolean one = show != Show.RECORDS && show != Show.COUNT;
      return one ? Math.min(1, first) : first;
    }

    private FileOutput output(String name, RecordPrinter printer) {
      return label.json()
          ? new JsonOutput(name, subMatches, context.before + context.after > 0, printer)
          : new TextOutput(label, name, printer, printer.ofContext());
    }
  }

  /**
   * The result of a search.
   *
   * @param exitCode 2 if a file could not be read, else 0 if a record was found, else 1
   * @param files that were searched, in part at least
   */
  public record Outcome(int exitCode, long matches, long files, long bytes) {}

  public FileGrep(Matcher matcher, Wanted wanted, RecordPrinter printer) {
    this.matcher = matcher;
    this.wanted = wanted;
    this.printer = printer;
    this.context = wanted.shownContext();
  }

  /** Searches what each of the arguments stands for. */
  public Outcome run(List<String> arguments, FileTree tree) throws IOException {
    for (String argument : arguments) {
      for (String file : tree.files(argument, this::complain)) {
        search(file);
        if (matches > 0 && wanted.show() == Show.NOTHING) {
          return outcome(Programs.SUCCESS);
        }
      }
    }
    printer.end();
    int exitCode = failed ? Programs.ERROR : matches > 0 ? Programs.SUCCESS : Programs.NONE;
    if (wanted.label.json() && wanted.show() == Show.RECORDS) {
      printer.message(
          "{\"verdict\":\"%s\",\"matches\":%d}"
              .formatted(failed ? "possibly-incomplete" : "complete", matches));
    }
    printer.flush();
    return outcome(exitCode);
  }

  private Outcome outcome(int exitCode) {
    return new Outcome(exitCode, matches, files, bytes);
  }

  private void complain(String line) {
    failed = true;
    if (!wanted.silent()) {
      System.err.println("cordwood grep: " + line);
    }
  }

  private void search(String file) throws IOException {
    String name = file.equals(FileRecords.STANDARD_INPUT) ? "(standard input)" : file;
    var search = new Search(wanted.output(name, printer));
    context.begin(search.output);
    try {
      new FileRecords(file, wanted.delimiter(), this::complain).read(search);
    } catch (StandardOutput.FailedException e) {
      throw e;
    } catch (IOException e) {
      complain(FileRecords.explain(file, e));
      if (search.selected == 0) {
        return;
      }
    }
    files++;
    matches += search.selected;
    search.summarize(name);
  }

  /** One file's. */
  private final class Search implements LineBlocks.Sink {
    private final FileOutput output;
    private long selected;

    /** The number of the record at hand, from 1. */
    private long number = 1;

    Search(FileOutput output) {
      this.output = output;
    }

    @Override
    public boolean take(byte[] block, int from, int to, byte delimiter) throws IOException {
      bytes += to - from;
      int at = from;
      while (at < to && wantsMore()) {
        int hit = matcher.find(block, at, to, delimiter);
        int start = hit < 0 ? to : Records.startOf(block, at, hit, delimiter);
        int next = hit < 0 ? to : Records.endOf(block, hit, to, delimiter) + 1;
        if (!wanted.invert() && hit >= 0) {
          pass(block, at, start, delimiter);
          select(block, start, next - 1);
        } else if (wanted.invert()) {
          next = selectAll(block, at, start, next, delimiter);
        } else {
          pass(block, at, to, delimiter);
        }
        at = next;
      }
      pass(block, at, to, delimiter);
      printer.flush();
      return wantsMore() || context.wantsMore();
    }

    private boolean wantsMore() {
      return selected < wanted.mostOfFile();
    }

    /** Up to the record that is not selected, and past that; gives where it came to. */
    private int selectAll(byte[] block, int from, int to, int next, byte delimiter)
        throws IOException {
      int at = from;
      while (at < to && wantsMore()) {
        int end = Records.endOf(block, at, to, delimiter);
        select(block, at, end);
        at = end + 1;
      }
      if (at < to) {
        return at;
      }
      pass(block, to, next, delimiter);
      return next;
    }

    private void pass(byte[] block, int from, int to, byte delimiter) throws IOException {
      context.pass(block, from, to, delimiter, number);
      if (wanted.label.needsNumbers()) {
        number += FileContext.count(block, from, to, delimiter);
      }
    }

    private void select(byte[] block, int from, int to) throws IOException {
      selected++;
      if (wanted.show() == Show.RECORDS) {
        context.match();
        output.match(number, block, from, to);
      }
      number++;
    }

    void summarize(String name) throws IOException {
      boolean listed = wanted.show() == (selected > 0 ? Show.NAME : Show.NAME_OF_OTHERS);
      if (listed) {
        printer.text(name + wanted.label.behindName('\n'));
      } else if (wanted.show() == Show.COUNT) {
        String before = wanted.label.named() ? name + wanted.label.behindName(':') : "";
        printer.message(before + selected);
      }
    }
  }
}
