package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import io.cordwood.ingest.node.IngestNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The classes of a node, a forwarder or a search, loaded and linked as the JVM keeps them in
 * memory, written once for each jar. Reading classes is half of what a start takes, and the tests
 * start hundreds of each.
 */
final class ClassArchive {
  private static final Set<String> ROLES = Set.of("ingest", "store", "query", "ingeststore");

  /** Commands of the jar that searches. */
  private static final Set<String> SEARCHES =
      Set.of("grep", "tail", "read", "histogram", "stats", "fields", "shapes", "topics", "labels");

  private static final String OPTIONS = "-Xlog:aot=off:stderr -XX:AOTCache=";

  private static final Set<String> OTHERS = Set.of("forward", "grep");

  private static final String WRITE = "-Xlog:aot=off:stderr -XX:AOTCacheOutput=";

  private static final Map<String, Path> MADE = new HashMap<>();

  private ClassArchive() {}

  /** The JVM's options for a program, which is the first word after {@code cordwood}; may be "". */
  static synchronized String options(String program) {
    String jar = SEARCHES.contains(program) ? "grep" : program;
    return OTHERS.contains(jar) || ROLES.contains(jar)
        ? OPTIONS + MADE.computeIfAbsent(jar, ClassArchive::made)
        : "";
  }

  /** The folder in which the launcher keeps them for searches, and has them already. */
  static synchronized Path cache() {
    return MADE.computeIfAbsent("grep", ClassArchive::made).resolveSibling("");
  }

  private static Path made(String name) {
    try {
      Path folder = Files.createDirectories(Program.JARS.resolve("class-archives"));
      Path jar = Program.JARS.resolve("cordwood-%s.jar".formatted(name));
      long version = Files.getLastModifiedTime(jar).toMillis();
      Path home = folder.resolve("%s-%d".formatted(name, version));
      Path archive = home.resolve(name + ".aot");
      // Other forks want it too.
      try (var lockFile =
              FileChannel.open(
                  folder.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = lockFile.lock()) {
        if (!Files.exists(archive)) {
          make(name, Files.createDirectories(home), archive);
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
    switch (name) {
      case "grep" -> Files.createSymbolicLink(unfinished, search(folder, data));
      case "forward" -> forward(unfinished, data);
      default -> run(name, unfinished, data);
    }
    Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
  }

  /** As for anybody who searches for the first time. */
  private static Path search(Path cache, Path data) throws IOException {
    try (Program grep =
        Program.shell(data, "echo a line | \"$CORDWOOD\" grep line -", cache.toString())) {
      grep.end();
    }
    return await().until(() -> kept(cache), found -> found.size() == 1).getFirst();
  }

  private static List<Path> kept(Path cache) throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.filter(file -> file.toString().endsWith(".aot")).toList();
    }
  }

  private static void forward(Path unfinished, Path data) throws IOException {
    IngestNode node = ReceivingNode.start(data);
    String target = "localhost:" + node.fastPort();
    try (Program forward = Program.startWith(WRITE + unfinished, "forward", target)) {
      forward.in().write('\n');
      forward.in().close();
      forward.end();
    } finally {
      node.close();
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
