package io.cordwood.ingest.node;

import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.testing.ChildJvm;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.IngestOptions.ForeignPorts;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** A node in a process of its own, which starts again on the same ports after it was killed. */
final class NodeToKill implements AutoCloseable {
  private final Path folder;
  private final int apiPort = FreePorts.next();
  private final int fluentPort = FreePorts.next();
  private final int gelfPort = FreePorts.next();
  private Process process;

  NodeToKill(Path folder) throws IOException {
    this.folder = folder;
    this.process = start();
  }

  private Process start() throws IOException {
    Process started =
        ChildJvm.of(
                List.of("-Xmx256m"),
                NodeToKill.class,
                folder.toString(),
                Integer.toString(apiPort),
                Integer.toString(fluentPort),
                Integer.toString(gelfPort))
            .start();
    String _ = ChildJvm.firstLine(started, "started");
    return started;
  }

  int apiPort() {
    return apiPort;
  }

  int fluentPort() {
    return fluentPort;
  }

  int gelfPort() {
    return gelfPort;
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Ends it as it ends by itself, once it has stored so many records since it was started. */
  void end(int records) throws IOException {
    try (var in = new DataOutputStream(process.getOutputStream())) {
      in.writeInt(records);
    }
    process.onExit().join();
  }

  void startAgain() throws IOException {
    process = start();
  }

  @Override
  public void close() {
    kill();
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream parent = System.out;
    System.setOut(System.err); // where what is logged goes
    IngestOptions usual = RunningNode.options(Path.of(arguments[0]));
    ForeignPorts ports =
        ForeignPorts.NONE
            .withFluent(Integer.parseInt(arguments[2]))
            .withGelf(Integer.parseInt(arguments[3]));
    try (var running = new RunningNode(usual.with(usual.listening().withForeign(ports)))) {
      var routes = new Routes();
      running.node.addRoutes(routes);
      var at = HttpServerOptions.at("127.0.0.1", Integer.parseInt(arguments[1]));
      try (HttpServer _ = HttpServer.start(at, routes, running.registry)) {
        parent.println("started");
        int records = new DataInputStream(System.in).readInt(); // throws if the parent is gone
        await()
            .atMost(RunningNode.PATIENCE)
            .until(() -> running.counted("records_stored") >= records);
      }
    }
  }
}
