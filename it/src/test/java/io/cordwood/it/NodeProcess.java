package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A node as a process, by default {@code ingeststore}, with its data in a folder and on ports of
 * its own. {@link #close} kills it; its folder stays.
 */
final class NodeProcess implements AutoCloseable {
  /** What a node prints when it is ready. */
  static final Pattern PORTS = Pattern.compile("ports +(.*) bind=\\S+");

  /** The same, with the number of that port. */
  static final Pattern DURABLE_PORT = Pattern.compile("ports +.*durable=(\\d+).* bind=\\S+");

  private static final Pattern PORT = Pattern.compile("(\\w+)=(\\d+)");

  private final Program program;
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  private NodeProcess(Program program) {
    this.program = program;
    try {
      PORT.matcher(program.awaitOut(PORTS).group(1))
          .results()
          .forEach(port -> ports.put(port.group(1), Integer.valueOf(port.group(2))));
    } catch (AssertionError e) {
      program.close();
      throw e;
    }
  }

  /** A node that is ready, with its data in {@code folder/data}. */
  static NodeProcess start(Path folder, String... flags) throws IOException {
    return start("ingeststore", folder, flags);
  }

  /** A node of any role. */
  static NodeProcess start(String role, Path folder, String... flags) throws IOException {
    return new NodeProcess(Program.start(arguments(role, folder, flags)));
  }

  /** A node of any role, with options for its JVM. */
  static NodeProcess startWith(String options, String role, Path folder, String... flags)
      throws IOException {
    return new NodeProcess(Program.startWith(options, arguments(role, folder, flags)));
  }

  /** A node of another build. */
  static NodeProcess startOf(Path launcher, Path folder, String... flags) throws IOException {
    String[] arguments = arguments("ingeststore", folder, flags);
    return new NodeProcess(Program.startBy("exec \"$@\"", launcher, arguments));
  }

  /** A node that is started by a shell, as {@link Program#startBy} does it. */
  static NodeProcess startBy(String script, Path folder, String... flags) throws IOException {
    return startBy(script, "ingeststore", folder, flags);
  }

  /** A node of any role, likewise. */
  static NodeProcess startBy(String script, String role, Path folder, String... flags)
      throws IOException {
    return new NodeProcess(Program.startBy(script, arguments(role, folder, flags)));
  }

  /** The command line of a node; a flag that is given takes the place of the same one here. */
  static String[] arguments(String role, Path folder, String... flags) {
    List<String> all = new ArrayList<>(List.of(role, "--data", folder.resolve("data").toString()));
    List<String> given = List.of(flags);
    List<String> ports =
        role.equals("store") || role.equals("query")
            ? List.of("--api-port", "--gossip-port")
            : List.of(
                "--api-port", "--fast-port", "--durable-port", "--bulk-port", "--gossip-port");
    ports.stream()
        .filter(port -> !given.contains(port))
        .forEach(port -> all.addAll(List.of(port, Integer.toString(FreePorts.next()))));
    all.addAll(given);
    return all.toArray(String[]::new);
  }

  /** Another process over the same folder and on the same ports, once this one is gone. */
  NodeProcess startAgain(Path folder) throws IOException {
    return start(folder, samePorts());
  }

  /** The flags of a node that its senders find where this one was, and some more. */
  String[] samePorts(String... more) {
    Stream<String> same =
        ports.entrySet().stream()
            .filter(port -> !port.getKey().equals("gossip"))
            .flatMap(port -> Stream.of("--" + port.getKey() + "-port", port.getValue().toString()));
    return Stream.concat(same, Stream.of(more)).toArray(String[]::new);
  }

  Program program() {
    return program;
  }

  /** The port of that name, as the node printed it. */
  int port(String name) {
    Integer port = ports.get(name);
    if (port == null) {
      throw new AssertionError("expected a port named " + name + ", found " + ports);
    }
    return port;
  }

  int apiPort() {
    return port("api");
  }

  int fastPort() {
    return port("fast");
  }

  int durablePort() {
    return port("durable");
  }

  int bulkPort() {
    return port("bulk");
  }

  /** Connects to the fast port. */
  Sender connect() throws IOException {
    return new Sender(fastPort());
  }

  /** Sends lines over a connection of their own; they are in the file when this returns. */
  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  void send(byte[] bytes) throws IOException {
    Sender.deliver(fastPort(), bytes);
  }

  /** Uploads lines; the answer of the bulk port. */
  String upload(String text) throws IOException {
    try (Sender sender = new Sender(bulkPort())) {
      return sender.send(text).end();
    }
  }

  /** Runs {@code cordwood grep} against this node. */
  Program.Result grep(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("grep", "--node", "localhost:" + apiPort()));
    all.addAll(List.of(arguments));
    return Program.run(all.toArray(String[]::new));
  }

  private NodeApi api() {
    return new NodeApi(new HostPort("localhost", apiPort()));
  }

  /** The lines of the answer for a literal; empty: all records. */
  List<String> find(String literal) throws IOException {
    return api().find(literal);
  }

  /** How many records hold a literal. */
  long count(String literal) throws IOException {
    return api().count(literal);
  }

  /** Waits until so many records hold a literal; what is there then is checked by the caller. */
  void awaitCount(String literal, long records) {
    try {
      await().ignoreExceptionsInstanceOf(IOException.class).until(() -> count(literal) >= records);
    } catch (RuntimeException e) {
      throw new AssertionError(
          "expected %d records with '%s', found %s; the node says: %s"
              .formatted(records, literal, orError(() -> count(literal)), program.err()),
          e);
    }
  }

  /** Waits until so many records are found, neither more nor less in the end. */
  void awaitRecords(long records) throws IOException {
    awaitCount("", records);
    assertThat(count("")).isEqualTo(records);
  }

  /** Waits until the store has consumed so many records; a query finds them before. */
  void awaitStored(long records) {
    await().untilAsserted(() -> assertThat(stored()).isGreaterThanOrEqualTo(records));
  }

  private long stored() throws IOException {
    return get("/store/segments")
        .lines()
        .skip(1)
        .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf('\t') + 1)))
        .sum();
  }

  private static Object orError(Callable<?> answer) {
    try {
      return answer.call();
    } catch (Exception e) {
      return e;
    }
  }

  /** The answer to a query; fails if it is not 200. */
  String query(String parameters) throws IOException {
    return api().query(parameters);
  }

  HttpResponse<String> request(String method, String pathAndQuery) throws IOException {
    return api().request(method, pathAndQuery);
  }

  /** What its HTTP API answers. */
  String get(String path) throws IOException {
    return api().get(path);
  }

  String metrics() throws IOException {
    return get("/metrics");
  }

  /** The value of a metric; of one named without its labels, the sum over all labels. */
  double metric(String name) throws IOException {
    return api().metric(name);
  }

  /** Ends it by SIGTERM; fails if it does not end with the exit code that stands for that. */
  void stop() {
    program.terminate();
    int code = program.exitCode();
    if (code != 143) {
      throw new AssertionError("expected exit code 143, found " + code + ": " + program.err());
    }
  }

  /** {@code kill -9}. */
  void kill() {
    program.kill();
  }

  @Override
  public void close() {
    program.close();
  }
}
