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
 * The classes of a node, loaded and linked as the JVM keeps them in memory, written once for each
 * jar. Reading classes is half of what a start takes, and the tests start hundreds of nodes.
 */
final class ClassArchive {
  private static final Set<String> ROLES = Set.of("ingest", "store", "query", "ingeststore");
  private static final String OPTIONS = "-Xlog:aot=off:stderr -XX:AOTCache=";

  private static final String WRITE = "-Xlog:aot=off:stderr -XX:AOTCacheOutput=";

  private static final Map<String, Path> MADE = new HashMap<>();

  private ClassArchive() {}

  /** The JVM's options for a program, which is the first word after {@code cordwood}; may be "". */
  static synchronized String options(String program) {
    return ROLES.contains(program)
        ? OPTIONS + MADE.computeIfAbsent(program, ClassArchive::made)
        : "";
  }

  private static Path made(String role) {
    try {
      Path folder = Files.createDirectories(Program.JARS.resolve("class-archives"));
      Path jar = Program.JARS.resolve("cordwood-%s.jar".formatted(role));
      long version = Files.getLastModifiedTime(jar).toMillis();
      Path archive = folder.resolve("%s-%d.aot".formatted(role, version));
      // Other forks want it too.
      try (var lockFile =
              FileChannel.open(
                  folder.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = lockFile.lock()) {
        if (!Files.exists(archive)) {
          make(role, folder, archive);
        }
      }
      return archive;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void make(String role, Path folder, Path archive) throws IOException {
    Path unfinished = folder.resolve(role + ".unfinished");
    Path data = Files.createTempDirectory(folder, "data");
    String[] arguments = NodeProcess.arguments(role, data);
    try (Program node = Program.startWith(WRITE + unfinished, arguments)) {
      node.awaitOut(NodeProcess.PORTS);
      node.terminate();
      node.end();
    }
    Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
  }
}
