package io.cordwood.dist.server;

import io.cordwood.cli.program.Command;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Programs;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.ingest.node.IngestNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * {@code cordwood demo}: a cluster on this machine, each node a process of its own, so that one can
 * be killed and the others are seen to go on. Nodes are told of each other, take ten ports each
 * from a base on, log into files, and end with this process.
 */
final class DemoCommand implements Command {
  private static final int NODES = 6;
  private static final int INGEST_NODES = 3;
  private static final int PORTS_EACH = 10;
  private static final int GOSSIP = 9;
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final int MAX_BASE = 65_535 - NODES * PORTS_EACH;

  /**
   * Enough for a try, and six of them fit beside everything else. Without the optimizing compiler
   * vectors are of no use.
   */
  private static final List<String> OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx128m",
          "-XX:MaxDirectMemorySize=96m",
          "-Xlog:disable",
          "-Xlog:all=error:stderr");

  private Path data = Path.of("demo-data");

  private int portBase = 7700;

  @Override
  public void list(FlagList list) {
    list.description("Run a cluster of 3 ingest and 3 store nodes on this machine, to try it.");
    list.footer(
        "",
        "Node N of the six has the ports from --port-base + 10 * N on: HTTP, fast, durable, bulk,"
            + " and",
        "as the tenth gossip. Runs until Ctrl-C. What is kept stays in --data, beside the nodes'"
            + " logs.",
        "",
        "  cordwood demo",
        "  cordwood demo --port-base 20000 --data /tmp/demo");
    list.flag("--data")
        .label("DIR")
        .help("Folder for all that is kept, one in it for each node. Default: ${DEFAULT-VALUE}.")
        .value(Path.class, data, value -> data = value);
    list.flag("--port-base")
        .label("PORT")
        .help("The first of sixty ports. Default: ${DEFAULT-VALUE}.")
        .value(int.class, portBase, value -> portBase = value);
  }

  private final Map<String, Process> nodes = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    FlagBounds.number("--port-base", 1, MAX_BASE, portBase);
    Files.createDirectories(data);
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end of the demo"));
    var ready = new CountDownLatch(NODES);
    for (int node = 0; node < NODES; node++) {
      start(node, ready);
    }
    while (ready.getCount() > 0 || !takesRecords()) {
      for (Map.Entry<String, Process> each : nodes.entrySet()) {
        if (!each.getValue().isAlive()) {
          throw new CommandException(
              "%s does not start; %s says why"
                  .formatted(each.getKey(), data.resolve(each.getKey() + ".log")));
        }
      }
      Thread.sleep(100);
    }
    System.out.print(text());
    System.out.flush();
    for (Process node : nodes.values()) {
      node.waitFor();
    }
    return Programs.SUCCESS;
  }

  private static String name(int node) {
    return node < INGEST_NODES ? "ingest-" + (node + 1) : "store-" + (node - INGEST_NODES + 1);
  }

  private int port(int node, int which) {
    return portBase + PORTS_EACH * node + which;
  }

  private void start(int node, CountDownLatch ready) throws IOException {
    String name = name(node);
    Process process =
        new ProcessBuilder(line(node)).redirectError(data.resolve(name + ".log").toFile()).start();
    nodes.put(name, process);
    Thread.ofPlatform().daemon().start(() -> awaitReady(process, ready));
    var _ =
        process
            .onExit()
            .thenAccept(
                ended -> System.out.printf("demo: %s ended (%d)%n", name, ended.exitValue()));
  }

  private List<String> line(int node) {
    boolean ingest = node < INGEST_NODES;
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(OPTIONS);
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.add((ingest ? IngestCommand.class : StoreCommand.class).getName());
    line.add("--config=/dev/null"); // This machine's own node is another one.
    line.add("--data=" + data.resolve(name(node)));
    line.add("--api-port=" + port(node, 0));
    line.add("--gossip-port=" + port(node, GOSSIP));
    if (ingest) {
      line.add("--fast-port=" + port(node, 1));
      line.add("--durable-port=" + port(node, 2));
      line.add("--bulk-port=" + port(node, 3));
    }
    IntStream.range(0, NODES)
        .filter(other -> other != node)
        .forEach(other -> line.add("--peer=localhost:" + port(other, GOSSIP)));
    return line;
  }

  private static void awaitReady(Process process, CountDownLatch ready) {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.contains(" is ready after ")) {
          ready.countDown();
        }
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** A node takes no records until another one knows of it, which may be after it is ready. */
  private boolean takesRecords() {
    return IntStream.range(0, INGEST_NODES).allMatch(node -> !refusesSenders(port(node, 0)));
  }

  private static boolean refusesSenders(int apiPort) {
    URI ready = URI.create("http://localhost:" + apiPort + ApiPaths.READY);
    try (CliClient.Answer answer = new CliClient(LONGEST, LONGEST).get(ready);
        InputStream body = answer.body()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8)
          .contains(IngestNode.SENDERS_REFUSED);
    } catch (IOException e) {
      return true; // If it has ended, the next look says so.
    }
  }

  private void end() {
    nodes.values().forEach(Process::destroy);
    for (Process node : nodes.values()) {
      try {
        node.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private String text() {
    var text = new StringBuilder("cordwood demo: 3 ingest and 3 store nodes are ready; data in ");
    text.append(data.toAbsolutePath().normalize()).append('\n');
    int node = 0;
    for (Map.Entry<String, Process> each : nodes.entrySet()) {
      text.append(
          "  %-9s pid=%d api=%d".formatted(each.getKey(), each.getValue().pid(), port(node, 0)));
      text.append(node < INGEST_NODES ? " fast=%d%n".formatted(port(node, 1)) : "\n");
      node++;
    }
    String ask = "localhost:" + port(1, 0);
    text.append(
        """
          send    cordwood testsvc --rate 100 | cordwood forward %s %s
          ask     cordwood grep --node %s -n 3 ERROR
                  cordwood tail --node %s ERROR
          see     curl %s/cluster; logs are in %s
          kill    kill -9 %d      # store-1: ask again, the answer is complete without it
                  kill -9 %d      # ingest-1: forward goes to another one
          end     Ctrl-C
        """
            .formatted(
                "localhost:" + port(0, 1),
                "localhost:" + port(1, 1),
                ask,
                ask,
                ask,
                data,
                pid("store-1"),
                pid("ingest-1")));
    return text.toString();
  }

  private long pid(String name) {
    Process node = nodes.get(name);
    return node == null ? 0 : node.pid();
  }
}
