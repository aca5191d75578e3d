package io.cordwood.dist;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What grep prints of files. */
final class FileFlags {
  @Option(
      names = {"-l", "--files-with-matches"},
      description = "Of FILEs: only the names of those with a match.")
  private boolean names;

  @ArgGroup(exclusive = true)
  private Prefix prefix = new Prefix();

  /** Whether the file's name is printed before what is found in it. */
  static final class Prefix {
    @Option(
        names = {"-H", "--with-filename"},
        description = "Of FILEs: the name before each line. The default if there are several.")
    boolean with;

    @Option(
        names = {"-h", "--no-filename"},
        description = "Of FILEs: no name before a line. The default if there is one.")
    boolean without;
  }

  boolean namesOnly() {
    return names;
  }

  boolean isPrefixed(int files) {
    return prefix.with || (files > 1 && !prefix.without);
  }
}
