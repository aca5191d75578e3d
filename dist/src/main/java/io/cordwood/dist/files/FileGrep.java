package io.cordwood.dist.files;

import io.cordwood.dist.program.Programs;
import io.cordwood.dist.records.RecordPrinter;
import io.cordwood.dist.terminal.StandardOutput;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Records;
import java.io.IOException;
import java.util.List;

/**
 * Searches files, one after the other, with the habits of grep. What cannot be read is said on
 * standard error, and the next file is searched. One thread.
 */
public final class FileGrep {
  private final Matcher matcher;
  private final Wanted wanted;
  private final RecordPrinter printer;
  private final FileContext context;
  private boolean found;
  private boolean failed;

  /** What is printed of a file. */
  public enum Show {
    RECORDS,
    COUNT,
    /** Its name, if a record is found. */
    NAME,
    /** Its name, if none is. */
    NAME_OF_OTHERS,
    NOTHING
  }

  /**
   * What is wanted of each file.
   *
   * @param invert whether the records that do not match are
   * @param show what is printed
   * @param prefixed whether the file's name stands before each line
   * @param nulNames whether NUL stands behind a file's name
   * @param silent whether nothing is said of files that cannot be read
   * @param delimiter of the records
   * @param first at most so many records
   * @param before so many records before each, and after so many behind
   */
  public record Wanted(
      boolean invert,
      Show show,
      boolean prefixed,
      boolean nulNames,
      boolean silent,
      byte delimiter,
      long first,
      int before,
      int after) {
    private FileContext context(RecordPrinter printer) {
      boolean all = show == Show.RECORDS;
      return new FileContext(all ? before : 0, all ? after : 0, printer);
    }

    /** What stands behind a file's name. */
    private String behindName(char usual) {
      return String.valueOf(nulNames ? '\0' : usual);
    }

    private long mostOfFile() {
      boolean one = show != Show.RECORDS && show != Show.COUNT;
      return one ? Math.min(1, first) : first;
    }
  }

  public FileGrep(Matcher matcher, Wanted wanted, RecordPrinter printer) {
    this.matcher = matcher;
    this.wanted = wanted;
    this.printer = printer;
    this.context = wanted.context(printer);
  }

  /** The exit code: 2 if a file could not be read, else 0 if a record was found, else 1. */
  public int run(List<String> files) throws IOException {
    for (String file : files) {
      search(file);
      if (found && wanted.show() == Show.NOTHING) {
        return Programs.SUCCESS;
      }
    }
    printer.flush();
    return failed ? Programs.ERROR : found ? Programs.SUCCESS : Programs.NONE;
  }

  private void complain(String line) {
    failed = true;
    if (!wanted.silent()) {
      System.err.println("cordwood grep: " + line);
    }
  }

  private void search(String file) throws IOException {
    boolean standardInput = file.equals(FileRecords.STANDARD_INPUT);
    String name = standardInput ? "(standard input)" : file;
    var search = new Search(wanted.prefixed() ? name + wanted.behindName(':') : "");
    context.begin(wanted.prefixed() ? name + wanted.behindName('-') : "");
    try {
      new FileRecords(file, wanted.delimiter(), this::complain).read(search);
    } catch (StandardOutput.FailedException e) {
      throw e;
    } catch (IOException e) {
      String reason = Programs.explain(e);
      complain(reason.startsWith(file + ":") ? reason : file + ": " + reason);
      if (search.selected == 0) {
        return;
      }
    }
    found |= search.selected > 0;
    search.summarize(name);
  }

  /** One file's. */
  private final class Search implements LineBlocks.Sink {
    private final String prefix;
    private long selected;

    Search(String prefix) {
      this.prefix = prefix;
    }

    @Override
    public boolean take(byte[] bytes, int from, int to, byte delimiter) throws IOException {
      int at = from;
      while (at < to && wantsMore()) {
        int hit = matcher.find(bytes, at, to, delimiter);
        int start = hit < 0 ? to : Records.startOf(bytes, at, hit, delimiter);
        int next = hit < 0 ? to : Records.endOf(bytes, hit, to, delimiter) + 1;
        if (!wanted.invert() && hit >= 0) {
          context.pass(bytes, at, start, delimiter);
          select(bytes, start, next - 1);
        } else if (wanted.invert()) {
          next = selectAll(bytes, at, start, next, delimiter);
        } else {
          context.pass(bytes, at, to, delimiter);
        }
        at = next;
      }
      context.pass(bytes, at, to, delimiter);
      printer.flush();
      return wantsMore() || context.wantsMore();
    }

    private boolean wantsMore() {
      return selected < wanted.mostOfFile();
    }

    /** Up to the record that is not selected, and past that; gives where it came to. */
    private int selectAll(byte[] bytes, int from, int to, int next, byte delimiter)
        throws IOException {
      int at = from;
      while (at < to && wantsMore()) {
        int end = Records.endOf(bytes, at, to, delimiter);
        select(bytes, at, end);
        at = end + 1;
      }
      if (at < to) {
        return at;
      }
      context.pass(bytes, to, next, delimiter);
      return next;
    }

    private void select(byte[] bytes, int from, int to) throws IOException {
      selected++;
      if (wanted.show() == Show.RECORDS) {
        context.match();
        printer.print(prefix, bytes, from, to);
      }
    }

    void summarize(String name) throws IOException {
      boolean listed = wanted.show() == (selected > 0 ? Show.NAME : Show.NAME_OF_OTHERS);
      if (listed) {
        printer.text(name + wanted.behindName('\n'));
      } else if (wanted.show() == Show.COUNT) {
        printer.message(prefix + selected);
      }
    }
  }
}
