package io.cordwood.query.gather;

import io.cordwood.common.http.server.HttpServer;
import io.cordwood.common.http.server.HttpServerOptions;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.testing.ChildJvm;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.api.QueryApi;
import io.cordwood.query.gather.ClusterNodes.Peer;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.scan.QueryCaches;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A node in a process of its own, with little memory and many stores beside it. */
final class GatheringNode implements AutoCloseable {
  static final int PEERS = 300;

  /** Of each store one batch of the test would take half of it. */
  private static final String HEAP = "-Xmx64m";

  private final Process process;
  private final int port;

  private GatheringNode(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts it beside stores at a port of many addresses. */
  static GatheringNode start(int peersPort) throws IOException {
    Process started =
        ChildJvm.of(
                List.of(
                    "-XX:+ExitOnOutOfMemoryError", HEAP, "--add-modules", "jdk.incubator.vector"),
                GatheringNode.class,
                Integer.toString(peersPort))
            .start();
    String line = ChildJvm.firstLine(started, "[0-9]+");
    return new GatheringNode(started, Integer.parseInt(line));
  }

  int port() {
    return port;
  }

  /** The sum of a counter. */
  double count(String name) throws IOException {
    return Double.parseDouble(Answer.get(port, "/count?name=" + name).text().strip());
  }

  /** The most threads of the system that there were at a time. */
  int threads() throws IOException {
    return Integer.parseInt(Answer.get(port, "/threads").text().strip());
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws IOException {
    int peersPort = Integer.parseInt(args[0]);
    List<Peer> stores =
        IntStream.range(0, PEERS)
            .mapToObj(number -> {
              String address = "127.0.%d.%d".formatted(number / 200, 10 + number % 200);
              return new Peer("p" + number, URI.create("http://" + address + ":" + peersPort));
            })
            .toList();
    var nodes =
        new ClusterNodes(List.of(), stores, List.of(), 1, Optional.empty(), Optional.empty());
    var meters = new SimpleMeterRegistry();
    var setting =
        new QueryApi.Setting(
            "asked",
            LocalRecords.NONE,
            () -> nodes,
            InstantSource.system(),
            QueryLimits.DEFAULT,
            new QueryCaches(1 << 20, 1 << 20));
    try (var api = new QueryApi(setting, 2, meters)) {
      var routes = new Routes();
      api.addRoutes(routes);
      routes.get(
          "/count",
          Params.ANY,
          (request, response) ->
              response.text(
                  200, meters.get(request.requiredParam("name")).counter().count() + "\n"));
      routes.get(
          "/threads",
          Params.ANY,
          (_, response) ->
              response.text(200, ManagementFactory.getThreadMXBean().getPeakThreadCount() + "\n"));
      HttpServer server = HttpServer.start(HttpServerOptions.at("127.0.0.1", 0), routes, meters);
      System.out.println(server.port());
      while (System.in.read() >= 0) {
        // Its input ends with the test.
      }
      server.close();
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
