package io.cordwood.cli.files;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Failures;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.PatternSyntaxException;

/**
 * The files that FILE arguments stand for: themselves, or with recursion what is in and below
 * folders, by name. Links are followed if they are arguments, or if that is asked for; pipes and
 * devices below folders are left out.
 *
 * @param include files below folders that match one of these; none: all
 * @param exclude and none of these
 * @param excludeFolders folders below folders that are left out
 */
record FileTree(
    boolean recursive,
    boolean followLinks,
    List<PathMatcher> include,
    List<PathMatcher> exclude,
    List<PathMatcher> excludeFolders) {
  /** No folder is looked into. */
  public static final FileTree FLAT = new FileTree(false, false, List.of(), List.of(), List.of());

  /**
   * A shell's pattern, which matches the name of a file, or its path.
   *
   * @throws CommandException if it is none
   */
  static PathMatcher glob(String flag, String pattern) {
    try {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      return path -> matcher.matches(path) || matcher.matches(path.getFileName());
    } catch (PatternSyntaxException e) {
      throw new CommandException(
          flag + ": expected a pattern such as '*.log', found \"" + pattern + "\"", e);
    }
  }

  /** Whether an argument may stand for several files. */
  boolean isTree(String file) {
    return recursive && Files.isDirectory(Path.of(file));
  }

  /** The files, in order; what cannot be looked into is complained of. */
  List<String> files(String file, Consumer<String> complaints) throws IOException {
    if (!isTree(file)) {
      return List.of(file);
    }
    List<String> found = new ArrayList<>();
    Set<FileVisitOption> options =
        followLinks ? EnumSet.allOf(FileVisitOption.class) : EnumSet.noneOf(FileVisitOption.class);
    Path start = followLinks ? Path.of(file) : Path.of(file).toRealPath();
    Files.walkFileTree(
        start,
        options,
        Integer.MAX_VALUE,
        new Walk(start, path -> found.add(name(file, start, path)), complaints));
    Collections.sort(found);
    return found;
  }

  /** A path below a folder as it is named from there. */
  private static String name(String file, Path start, Path path) {
    String below = start.relativize(path).toString();
    return file.isEmpty() ? below : file.endsWith("/") ? file + below : file + "/" + below;
  }

  private final class Walk extends SimpleFileVisitor<Path> {
    private final Path start;
    private final Consumer<Path> found;
    private final Consumer<String> complaints;

    Walk(Path start, Consumer<Path> found, Consumer<String> complaints) {
      this.start = start;
      this.found = found;
      this.complaints = complaints;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      boolean out = !folder.equals(start) && any(excludeFolders, folder);
      return out ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      boolean wanted = include.isEmpty() || any(include, file);
      if (attributes.isRegularFile() && wanted && !any(exclude, file)) {
        found.accept(file);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      complaints.accept(Failures.explain(e));
      return FileVisitResult.CONTINUE;
    }

    private boolean any(List<PathMatcher> matchers, Path path) {
      return matchers.stream().anyMatch(matcher -> matcher.matches(start.relativize(path)));
    }
  }
}
