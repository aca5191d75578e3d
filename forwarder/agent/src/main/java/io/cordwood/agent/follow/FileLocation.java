package io.cordwood.agent.follow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The place of a file's bytes: its path without links, and which folder that is in. Later its name
 * may lead elsewhere, and its folder's name be that of another one, as that of a volume which is
 * not mounted.
 *
 * @param folder null when it is not known
 */
record FileLocation(Path path, FileStat.@Nullable Key folder) {
  private static final int MOST_LINKS = 40;

  /** The home of the file that a name leads to, or would if the last link led to one. */
  static FileLocation of(Path name) {
    try {
      Path path = name;
      for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(path); i++) {
        path = path.resolveSibling(Files.readSymbolicLink(path));
      }
      Path folder = path.toAbsolutePath().getParent();
      if (folder == null) {
        return new FileLocation(path, null);
      }
      Path real = folder.toRealPath().resolve(path.getFileName());
      return in(real.equals(name) ? name : real); // one object for both, as there are many files
    } catch (IOException e) {
      return in(name);
    }
  }

  private static FileLocation in(Path path) {
    return new FileLocation(path, null).again();
  }

  /** The same place, in the folder that has this name now. */
  FileLocation again() {
    try {
      Path parent = path.getParent();
      return new FileLocation(path, parent == null ? null : FileStat.of(parent).key());
    } catch (IOException e) {
      return new FileLocation(path, null);
    }
  }
}
