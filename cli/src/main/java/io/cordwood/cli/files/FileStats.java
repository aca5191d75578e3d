package io.cordwood.cli.files;

import io.cordwood.query.groups.RecordGroups;
import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Records;
import java.io.IOException;
import java.util.List;

/**
 * Counts the records of files by their fields, of all files together. What cannot be read is said
 * on standard error, and the next file is read. One thread.
 */
public final class FileStats {
  private final String command;
  private final Matcher matcher;
  private final boolean invert;
  private final byte delimiter;
  private final RecordGroups groups;
  private boolean failed;

  /**
   * @param command that says what cannot be read
   * @param invert whether the records that the matcher does not find are counted
   * @param delimiter of the records
   */
  public FileStats(
      String command, Matcher matcher, boolean invert, byte delimiter, RecordGroups groups) {
    this.command = command;
    this.matcher = matcher;
    this.invert = invert;
    this.delimiter = delimiter;
    this.groups = groups;
  }

  /**
   * Counts what each of the arguments stands for.
   *
   * @return false if some of it could not be read
   */
  public boolean count(List<String> arguments, FileTree tree) throws IOException {
    for (String argument : arguments) {
      for (String file : tree.files(argument, this::complain)) {
        try {
          new FileRecords(file, delimiter, this::complain).read(this::take);
        } catch (IOException e) {
          complain(FileRecords.explain(file, e));
        }
      }
    }
    return !failed;
  }

  private void complain(String line) {
    failed = true;
    System.err.println("cordwood " + command + ": " + line);
  }

  private boolean take(byte[] block, int from, int to, byte end) throws IOException {
    int at = from;
    while (at < to) {
      int hit = matcher.find(block, at, to, end);
      int start = hit < 0 ? to : Records.startOf(block, at, hit, end);
      if (invert) {
        addAll(block, at, start, end);
      }
      if (hit < 0) {
        break;
      }
      int stop = Records.endOf(block, hit, to, end);
      if (!invert) {
        groups.add(block, start, stop, end);
      }
      at = stop + 1;
    }
    return true;
  }

  private void addAll(byte[] block, int from, int to, byte end) throws IOException {
    for (int at = from; at < to; ) {
      int stop = Records.endOf(block, at, to, end);
      groups.add(block, at, stop, end);
      at = stop + 1;
    }
  }
}
