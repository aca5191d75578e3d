package io.cordwood.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running node, whose ports are those that it printed. */
final class NodeProcess implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("(api|fast|gossip)=(\\d+)");
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final Program program;

  private NodeProcess(Program program) {
    this.program = program;
  }

  /** Starts {@code cordwood ingeststore} on free ports, and waits until it is ready. */
  static NodeProcess ingestStore(Path data, String... flags) throws IOException {
    return start("ingeststore", data, "0", flags);
  }

  /** The same with its fast port where senders know it. */
  static NodeProcess ingestStoreAt(int fastPort, Path data) throws IOException {
    return start("ingeststore", data, Integer.toString(fastPort));
  }

  static NodeProcess start(String role, Path data, String fastPort, String... flags)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(role, "--data", data.toString()));
    arguments.addAll(List.of("--api-port", "0", "--gossip-port", "0"));
    if (!role.equals("store")) {
      arguments.addAll(List.of("--fast-port", fastPort, "--durable-port", "0"));
    }
    arguments.addAll(List.of(flags));
    Program program = Program.start(arguments.toArray(String[]::new));
    try {
      await()
          .atMost(LONGEST)
          .until(() -> !program.isAlive() || program.outputSoFar().contains("bind="));
      assertThat(program.isAlive()).as(program.errorsSoFar()).isTrue();
    } catch (Throwable e) {
      program.close();
      throw e;
    }
    return new NodeProcess(program);
  }

  Program program() {
    return program;
  }

  int port(String name) {
    Matcher port = PORT.matcher(program.outputSoFar());
    while (port.find()) {
      if (port.group(1).equals(name)) {
        return Integer.parseInt(port.group(2));
      }
    }
    throw new AssertionError("no " + name + " port in " + program.outputSoFar());
  }

  /** Sends bytes as {@code nc} does. */
  void send(byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port("fast"));
        OutputStream out = socket.getOutputStream()) {
      out.write(bytes);
    }
  }

  /** Runs {@code cordwood grep} against this node. */
  Program.Result grep(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("grep", "--node", "localhost:" + port("api")));
    all.addAll(List.of(arguments));
    return Program.run(all.toArray(String[]::new));
  }

  /** What its HTTP API answers. */
  String get(String path) throws IOException {
    URI uri = URI.create("http://localhost:" + port("api") + path);
    try (InputStream body = uri.toURL().openStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Waits until so many records are found. */
  void awaitRecords(long count) {
    await()
        .atMost(LONGEST)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(get("/query?count=true")).isEqualTo(count + "\n"));
  }

  void kill() {
    program.kill();
  }

  @Override
  public void close() {
    program.close();
  }
}
