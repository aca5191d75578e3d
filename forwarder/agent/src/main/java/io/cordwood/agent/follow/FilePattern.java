package io.cordwood.agent.follow;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A file, or a pattern of files: {@code *}, {@code ?}, {@code [a-z]} and {@code {a,b}} within a
 * name, {@code **} for any folders. As in a shell, hidden names are found by patterns that begin
 * with a dot only.
 */
final class FilePattern {
  private static final int MOST_FOLDERS_DEEP = 16;
  private static final String ANY_FOLDERS = "**";

  private final String text;
  private final Path root;
  private final List<String> names = new ArrayList<>();
  private final List<@Nullable PathMatcher> matchers = new ArrayList<>();

  /**
   * @throws IllegalArgumentException when it is no pattern; the message says why
   */
  FilePattern(String text) {
    this.text = text;
    Path whole = Path.of(text).toAbsolutePath().normalize();
    this.root = whole.getRoot();
    for (Path name : whole) {
      names.add(name.toString());
      matchers.add(matcher(name.toString()));
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException("expected a file or a pattern, found " + text);
    }
  }

  private static @Nullable PathMatcher matcher(String name) {
    if (name.chars().noneMatch(c -> "*?[{\\".indexOf(c) >= 0)) {
      return null;
    }
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + name);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "expected a pattern such as /var/log/*.log, found " + name + ": " + e.getDescription(),
          e);
    }
  }

  /** Whether it can be more than one file. */
  boolean isGlob() {
    return matchers.stream().anyMatch(matcher -> matcher != null);
  }

  /**
   * The files that match now.
   *
   * @param failed hears of folders that cannot be listed
   */
  void find(Consumer<Path> found, BiConsumer<Path, IOException> failed) {
    new Walk(found, failed).walk(root, 0, 0);
  }

  /** Whether a file of this name would be found. */
  boolean matches(Path path) {
    return matches(path.toAbsolutePath().normalize(), 0, 0);
  }

  private boolean matches(Path path, int at, int index) {
    if (index == names.size()) {
      return at == path.getNameCount();
    }
    if (names.get(index).equals(ANY_FOLDERS)) {
      for (int next = at; next < path.getNameCount(); next++) {
        if (matches(path, next, index + 1)) {
          return true;
        }
      }
      return false;
    }
    if (at == path.getNameCount()) {
      return false;
    }
    PathMatcher matcher = matchers.get(index);
    Path name = path.getName(at);
    boolean fits =
        matcher == null ? name.toString().equals(names.get(index)) : matcher.matches(name);
    return fits && matches(path, at + 1, index + 1);
  }

  @Override
  public String toString() {
    return text;
  }

  private final class Walk {
    private final Consumer<Path> found;
    private final BiConsumer<Path, IOException> failed;

    Walk(Consumer<Path> found, BiConsumer<Path, IOException> failed) {
      this.found = found;
      this.failed = failed;
    }

    void walk(Path folder, int index, int depth) {
      if (index == names.size()) {
        found.accept(folder);
        return;
      }
      String name = names.get(index);
      PathMatcher matcher = matchers.get(index);
      if (matcher == null) {
        Path next = folder.resolve(name);
        if (index == names.size() - 1 ? Files.exists(next) : Files.isDirectory(next)) {
          walk(next, index + 1, depth);
        }
      } else if (name.equals(ANY_FOLDERS)) {
        walk(folder, index + 1, depth);
        list(
            folder,
            entry -> {
              boolean isFolder = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
              if (isFolder && depth < MOST_FOLDERS_DEEP && !isHidden(entry)) {
                walk(entry, index, depth + 1);
              }
            });
      } else {
        list(
            folder,
            entry -> {
              boolean takesHidden = name.startsWith(".");
              if ((takesHidden || !isHidden(entry)) && matcher.matches(entry.getFileName())) {
                walkInto(entry, index + 1, depth);
              }
            });
      }
    }

    private void walkInto(Path entry, int index, int depth) {
      if (index == names.size() || Files.isDirectory(entry)) {
        walk(entry, index, depth);
      }
    }

    private void list(Path folder, Consumer<Path> each) {
      if (!Files.isDirectory(folder)) {
        return;
      }
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        entries.forEach(each);
      } catch (IOException e) {
        failed.accept(folder, e);
      } catch (java.nio.file.DirectoryIteratorException e) {
        failed.accept(folder, e.getCause());
      }
    }

    private boolean isHidden(Path entry) {
      return entry.getFileName().toString().startsWith(".");
    }
  }
}
