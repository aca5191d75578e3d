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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The classes of a program, loaded and linked as the JVM keeps them in memory, written once for
 * each jar. Reading classes is half of what a start takes, and the tests start hundreds of them.
 */
final class ClassArchive {
  private static final Set<String> ROLES = Set.of("ingest", "store", "query", "ingeststore");

  /** Commands of the jar that searches. */
  private static final Set<String> SEARCHES =
      Set.of("grep", "tail", "read", "histogram", "stats", "fields", "shapes", "topics", "labels");

  private static final String OPTIONS = "-Xlog:aot=off:stderr -XX:AOTCache=";

  /** A JVM that writes an archive starts a second one for it, at its end. */
  private static final int STEPS = 5;

  private static final String WRITE = "-Xlog:aot=off:stderr -XX:AOTCacheOutput=";

  /** Names the jar of all programs. */
  private static final String ALL = "";

  private static final Map<String, Path> MADE = new HashMap<>();

  private ClassArchive() {}

  /** The JVM's options for a program, which is the first word after {@code cordwood}. */
  static synchronized String options(String program) {
    return OPTIONS + MADE.computeIfAbsent(name(program), ClassArchive::made);
  }

  /** All but these have the jar with everything. */
  private static String name(String program) {
    if (SEARCHES.contains(program)) {
      return "grep";
    }
    return ROLES.contains(program) || program.equals("forward") ? program : ALL;
  }

  /** The folder in which the launcher keeps them for searches, and has them already. */
  static synchronized Path cache() {
    return MADE.computeIfAbsent("grep", ClassArchive::made).resolveSibling("");
  }

  private static Path made(String name) {
    try {
      Path folder = Files.createDirectories(Program.JARS.resolve("class-archives"));
      Path archive = archive(name);
      // Other forks want it too.
      try (var lockFile =
              FileChannel.open(
                  folder.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = lockFile.lock()) {
        if (!Files.exists(archive)) {
          makeOnce(name, folder, archive.resolveSibling("failed"));
        }
      }
      return archive;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tests that need one that could not be made fail at once, and not each after long. */
  private static void makeOnce(String name, Path folder, Path failed) throws IOException {
    if (Files.exists(failed)) {
      throw new IOException("no archive could be made of " + failed.getParent());
    }
    Files.createFile(failed);
    make(name, Files.createTempDirectory(folder, "data"));
    Files.delete(failed);
  }

  /** In a folder of its own for each build of the jar. */
  private static Path archive(String name) throws IOException {
    String jar = name.equals(ALL) ? "cordwood" : "cordwood-" + name;
    long version = Files.getLastModifiedTime(Program.JARS.resolve(jar + ".jar")).toMillis();
    Path folder = Program.JARS.resolve("class-archives/%s-%d".formatted(jar, version));
    return Files.createDirectories(folder).resolve(jar + ".aot");
  }

  private static Path unfinished(String name) throws IOException {
    return archive(name).resolveSibling("unfinished");
  }

  private static void finish(String name) throws IOException {
    Files.move(unfinished(name), archive(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private static void make(String name, Path data) throws IOException {
    switch (name) {
      case "grep" ->
          Files.createSymbolicLink(
              unfinished(name), search(archive(name).resolveSibling(""), data));
      case "forward" -> forward(data);
      case ALL -> allCommands();
      default -> {
        nodes(data);
        return;
      }
    }
    finish(name);
  }

  /** As for anybody who searches for the first time. */
  private static Path search(Path cache, Path data) throws IOException {
    try (Program grep =
        Program.shell(data, "echo a line | \"$CORDWOOD\" grep line -", cache.toString())) {
      grep.end();
    }
    return await()
        .atMost(Program.LONG.multipliedBy(STEPS))
        .until(() -> kept(cache), found -> found.size() == 1)
        .getFirst();
  }

  private static List<Path> kept(Path cache) throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      return files.filter(file -> file.toString().endsWith(".aot")).toList();
    }
  }

  private static void forward(Path data) throws IOException {
    IngestNode node = ReceivingNode.start(data);
    String target = "localhost:" + node.fastPort();
    try (Program forward = Program.startWith(WRITE + unfinished("forward"), "forward", target)) {
      forward.in().write('\n');
      forward.in().close();
      forward.end(STEPS);
    } finally {
      node.close();
    }
  }

  /** Which takes the flags of each. */
  private static void allCommands() throws IOException {
    try (Program manual = Program.startWith(WRITE + unfinished(ALL), "manual", "man")) {
      manual.end(STEPS);
    }
  }

  /** All roles, as a cluster that takes, stores and answers. */
  private static void nodes(Path data) throws IOException {
    List<NodeProcess> nodes = new ArrayList<>();
    try {
      for (String role : List.of("ingest", "store", "query", "ingeststore")) {
        List<String> flags = new ArrayList<>();
        nodes.forEach(node -> flags.add("--peer=127.0.0.1:" + node.port("gossip")));
        if (role.endsWith("store")) {
          flags.add("--replication-factor=2");
        }
        nodes.add(
            NodeProcess.startWith(
                WRITE + unfinished(role), role, data.resolve(role), flags.toArray(String[]::new)));
      }
      work(nodes);
      nodes.forEach(node -> node.program().terminate());
      nodes.forEach(node -> node.program().end(STEPS));
    } finally {
      nodes.forEach(NodeProcess::close);
    }
    for (String role : ROLES) {
      finish(role);
    }
  }

  private static void work(List<NodeProcess> nodes) throws IOException {
    nodes.getFirst().send("{\"level\":\"error\",\"message\":\"one\"}\n");
    nodes.getLast().send("two\n");
    nodes.getLast().upload("three\n");
    nodes.get(1).awaitStored(1);
    nodes.getLast().awaitStored(1);
    for (NodeProcess node : nodes) {
      node.awaitCount("", 3);
      for (String path : List.of("query?q=o&format=json", "histogram?bucket=1h", "metrics")) {
        var _ = node.get("/" + path);
      }
    }
  }
}
