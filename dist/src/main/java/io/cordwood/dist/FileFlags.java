package io.cordwood.dist;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What grep prints of files. */
final class FileFlags implements QuickFlags {
  @Option(
      names = {"-l", "--files-with-matches"},
      description = "Of FILEs: only the names of those with a match.")
  private boolean names;

  @ArgGroup(exclusive = true)
  private Prefix prefix = new Prefix();

  /** Whether the file's name is printed before what is found in it. */
  static final class Prefix implements QuickFlags {
    @Option(
        names = {"-H", "--with-filename"},
        description = "Of FILEs: the name before each line. The default if there are several.")
    boolean with;

    @Option(
        names = {"-h", "--no-filename"},
        description = "Of FILEs: no name before a line. The default if there is one.")
    boolean without;

    @Override
    public boolean take(String flag) {
      boolean free = !with && !without;
      switch (flag) {
        case "-H", "--with-filename" -> with = true;
        case "-h", "--no-filename" -> without = true;
        default -> {
          return false;
        }
      }
      return free;
    }
  }

  @Override
  public boolean take(String flag) {
    boolean ofNames = flag.equals("-l") || flag.equals("--files-with-matches");
    names |= ofNames;
    return ofNames || prefix.take(flag);
  }

  boolean areGiven() {
    return names || prefix.with || prefix.without;
  }

  boolean namesOnly() {
    return names;
  }

  boolean isPrefixed(int files) {
    return prefix.with || (files > 1 && !prefix.without);
  }
}
