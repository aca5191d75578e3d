package io.cordwood.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The classes of a node or a search, loaded and linked as the JVM keeps them in memory, written
 * once for each jar. Reading classes is half of what a start takes, and the tests start hundreds of
 * each.
 */
final class ClassArchive {
  private static final Set<String> ROLES = Set.of("ingest", "store", "query", "ingeststore");

  /** Commands of the jar that searches. */
  private static final Set<String> SEARCHES =
      Set.of("grep", "tail", "read", "histogram", "stats", "fields", "shapes", "topics", "labels");

  private static final String OPTIONS = "-Xlog:aot=off:stderr -XX:AOTCache=";

  private static final String WRITE = "-Xlog:aot=off:stderr -XX:AOTCacheOutput=";

  private static final Map<String, Path> MADE = new HashMap<>();

  private ClassArchive() {}

  /** The JVM's options for a program, which is the first word after {@code cordwood}; may be "". */
  static synchronized String options(String program) {
    String jar = SEARCHES.contains(program) ? "grep" : program;
    return jar.equals("grep") || ROLES.contains(jar)
        ? OPTIONS + MADE.computeIfAbsent(jar, ClassArchive::made)
        : "";
  }

  private static Path made(String name) {
    try {
      Path folder = Files.createDirectories(Program.JARS.resolve("class-archives"));
      Path jar = Program.JARS.resolve("cordwood-%s.jar".formatted(name));
      long version = Files.getLastModifiedTime(jar).toMillis();
      Path archive = folder.resolve("%s-%d.aot".formatted(name, version));
      // Other forks want it too.
      try (var lockFile =
              FileChannel.open(
                  folder.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = lockFile.lock()) {
        if (!Files.exists(archive)) {
          make(name, folder, archive);
        }
      }
      return archive;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void make(String name, Path folder, Path archive) throws IOException {
    Path unfinished = folder.resolve(name + ".unfinished");
    Path data = Files.createTempDirectory(folder, "data");
    if (name.equals("grep")) {
      search(unfinished, Files.writeString(data.resolve("file"), "a line\n"));
    } else {
      run(name, unfinished, data);
    }
    Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void search(Path unfinished, Path file) throws IOException {
    try (Program grep = Program.startWith(WRITE + unfinished, "grep", "line", file.toString())) {
      grep.in().close();
      grep.end();
    }
  }

  private static void run(String role, Path unfinished, Path data) throws IOException {
    String[] arguments = NodeProcess.arguments(role, data);
    try (Program node = Program.startWith(WRITE + unfinished, arguments)) {
      node.awaitOut(NodeProcess.PORTS);
      node.terminate();
      node.end();
    }
  }
}
