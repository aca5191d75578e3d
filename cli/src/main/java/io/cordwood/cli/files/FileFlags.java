package io.cordwood.cli.files;

import io.cordwood.cli.program.OneOf;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags for what grep prints of files. */
public final class FileFlags {
  @Mixin Names names = new Names();

  /** Which files' names are printed, instead of records. */
  static final class Names implements OneOf {
    @Option(
        names = {"-l", "--files-with-matches"},
        description = "Of FILEs: only the names of those with a match.")
    boolean with;

    @Option(
        names = {"-L", "--files-without-match"},
        description = "Of FILEs: only the names of those without.")
    boolean without;
  }

  @Mixin Prefix prefix = new Prefix();

  /** Whether the file's name is printed before what is found in it. */
  static final class Prefix implements OneOf {
    @Option(
        names = {"-H", "--with-filename"},
        description = "Of FILEs: the name before each line. The default if there are several.")
    boolean with;

    @Option(
        names = {"-h", "--no-filename"},
        description = "Of FILEs: no name before a line. The default if there is one.")
    boolean without;
  }

  @Option(
      names = {"-Z", "-0", "--null"},
      description = "Of FILEs: NUL after a name, for xargs -0.")
  boolean nul;

  @Option(
      names = {"-s", "--no-messages"},
      description = "Of FILEs: nothing is said of those that cannot be read.")
  boolean silent;

  @Option(
      names = "--line-number",
      description =
          "Of FILEs: each line's number before it. So does -n, unless a number follows it.")
  boolean numbered;

  @Mixin TreeFlags tree = new TreeFlags();

  /** Whether something is asked for that makes sense of files only. */
  public boolean areGiven() {
    return names.with || names.without || prefix.with || prefix.without || numbered;
  }

  /** The output for each file; {@code usual} if no flag says otherwise. */
  public FileGrep.Show show(FileGrep.Show usual) {
    return names.with ? FileGrep.Show.NAME : names.without ? FileGrep.Show.NAME_OF_OTHERS : usual;
  }

  /** Whether each line's number is wanted. */
  public boolean areNumbered() {
    return numbered;
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
  public FileGrep.Label label(List<String> files, boolean json) {
    boolean several = files.size() > 1 || files.stream().anyMatch(tree()::isTree);
    boolean named = prefix.with || (several && !prefix.without);
    return new FileGrep.Label(named, nul, numbered, json);
  }
}
