package io.cordwood.cli.files;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;

/** Whether folders are searched, and what in them. */
public final class TreeFlags implements Flags {
  boolean recursive;
  boolean followLinks;
  List<String> include = new ArrayList<>();
  List<String> exclude = new ArrayList<>();
  List<String> excludeFolders = new ArrayList<>();

  @Override
  public void list(FlagList list) {
    list.flag("-r", "--recursive")
        .help("Of FILEs that are folders: what is in and below them. Default FILE: here.")
        .on(value -> recursive = value);
    list.flag("-R", "--dereference-recursive")
        .help("The same, and links are followed.")
        .on(value -> followLinks = value);
    list.flag("--include", "-g", "--glob")
        .label("GLOB")
        .help("With -r: only files that match, such as '*.log'; '!*.gz' leaves out.")
        .list(String.class, include, value -> include = value);
    list.flag("--exclude")
        .label("GLOB")
        .help("With -r: no files that match.")
        .list(String.class, exclude, value -> exclude = value);
    list.flag("--exclude-dir")
        .label("GLOB")
        .help("With -r: no folders that match.")
        .list(String.class, excludeFolders, value -> excludeFolders = value);
  }

  /** Whether folders are. */
  public boolean areRecursive() {
    return recursive || followLinks;
  }

  /** The tree of files that the FILEs name. */
  public FileTree tree() {
    List<PathMatcher> wanted =
        include.stream()
            .filter(glob -> !glob.startsWith("!"))
            .map(glob -> FileTree.glob("--include", glob))
            .toList();
    List<PathMatcher> unwanted = new ArrayList<>(globs("--exclude", exclude));
    include.stream()
        .filter(glob -> glob.startsWith("!"))
        .forEach(glob -> unwanted.add(FileTree.glob("--include", glob.substring(1))));
    return new FileTree(
        areRecursive(), followLinks, wanted, unwanted, globs("--exclude-dir", excludeFolders));
  }

  private static List<PathMatcher> globs(String flag, List<String> globs) {
    return globs.stream().map(glob -> FileTree.glob(flag, glob)).toList();
  }
}
