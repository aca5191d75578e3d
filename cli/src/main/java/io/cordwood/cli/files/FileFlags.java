package io.cordwood.cli.files;

import io.cordwood.cli.program.ExclusiveFlags;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import java.util.List;

/** The flags for what grep prints of files. */
public final class FileFlags implements Flags {
  Names names = new Names();

  /** Which files' names are printed, instead of records. */
  static final class Names implements ExclusiveFlags {
    boolean with;
    boolean without;

    @Override
    public void list(FlagList list) {
      list.flag("-l", "--files-with-matches")
          .help("Of FILEs: only the names of those with a match.")
          .on(value -> with = value);
      list.flag("-L", "--files-without-match")
          .help("Of FILEs: only the names of those without.")
          .on(value -> without = value);
    }
  }

  Prefix prefix = new Prefix();

  /** Whether the file's name is printed before what is found in it. */
  static final class Prefix implements ExclusiveFlags {
    boolean with;

    boolean without;

    @Override
    public void list(FlagList list) {
      list.flag("-H", "--with-filename")
          .help("Of FILEs: the name before each line. The default if there are several.")
          .on(value -> with = value);
      list.flag("-h", "--no-filename")
          .help("Of FILEs: no name before a line. The default if there is one.")
          .on(value -> without = value);
    }
  }

  boolean nul;

  boolean silent;

  boolean numbered;

  TreeFlags tree = new TreeFlags();

  @Override
  public void list(FlagList list) {
    list.addAll(names);
    list.addAll(prefix);
    list.flag("-Z", "-0", "--null")
        .help("Of FILEs: NUL after a name, for xargs -0.")
        .on(value -> nul = value);
    list.flag("-s", "--no-messages")
        .help("Of FILEs: nothing is said of those that cannot be read.")
        .on(value -> silent = value);
    list.flag("--line-number")
        .help("Of FILEs: each line's number before it. So does -n, unless a number follows it.")
        .on(value -> numbered = value);
    list.addAll(tree);
  }

  /** The output for each file; {@code usual} if no flag says otherwise. */
  public FileGrep.Show show(FileGrep.Show usual) {
    return names.with ? FileGrep.Show.NAME : names.without ? FileGrep.Show.NAME_OF_OTHERS : usual;
  }

  /** The tree of files that the FILEs name. */
  public FileTree tree() {
    return tree.tree();
  }

  /** Whether folders are searched, by default the one that this process is in. */
  public boolean areRecursive() {
    return tree.areRecursive();
  }

  /** Whether nothing is said of files that cannot be read. */
  public boolean areSilent() {
    return silent;
  }

  /** The label before each line. */
  public LineLabel label(List<String> files, boolean json) {
    boolean several = files.size() > 1 || files.stream().anyMatch(tree()::isTree);
    boolean named = prefix.with || (several && !prefix.without);
    return new LineLabel(named, nul, numbered, json);
  }
}
