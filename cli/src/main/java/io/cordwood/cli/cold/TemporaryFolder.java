package io.cordwood.cli.cold;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is gone once it is closed, or once the process ends by itself or by Ctrl-C. */
final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final Thread atEnd = new Thread(this::delete, "temporary-folder");

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  static TemporaryFolder create() throws IOException {
    var folder = new TemporaryFolder(Files.createTempDirectory("cordwood-cold"));
    Runtime.getRuntime().addShutdownHook(folder.atEnd);
    return folder;
  }

  Path path() {
    return path;
  }

  private void delete() {
    try (Stream<Path> all = Files.walk(path)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("cordwood: " + path + " is left: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      // The process ends already.
    }
  }
}
