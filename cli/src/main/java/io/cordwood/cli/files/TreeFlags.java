package io.cordwood.cli.files;

import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Whether folders are searched, and what in them. */
public final class TreeFlags {
  @Option(
      names = {"-r", "--recursive"},
      description = "Of FILEs that are folders: what is in and below them. Default FILE: here.")
  boolean recursive;

  @Option(
      names = {"-R", "--dereference-recursive"},
      description = "The same, and links are followed.")
  boolean followLinks;

  @Option(
      names = {"--include", "-g", "--glob"},
      paramLabel = "GLOB",
      description = "With -r: only files that match, such as '*.log'; '!*.gz' leaves out.")
  List<String> include = new ArrayList<>();

  @Option(names = "--exclude", paramLabel = "GLOB", description = "With -r: no files that match.")
  List<String> exclude = new ArrayList<>();

  @Option(
      names = "--exclude-dir",
      paramLabel = "GLOB",
      description = "With -r: no folders that match.")
  List<String> excludeFolders = new ArrayList<>();

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
