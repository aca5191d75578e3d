package io.cordwood.it;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Programs that each log numbered records by a client, all at once: the first half, then the second
 * while their node is killed. {@code -Dcordwood.records=N} says how many records each logs.
 */
final class NumberedSenders implements AutoCloseable {
  static final int RECORDS = Integer.getInteger("cordwood.records", 1000);

  /** So many records, then {@link #PAUSE_MILLIS}: each logs for some seconds. */
  private static final int A_PAUSE = Math.max(1, RECORDS / 200);

  private static final int PAUSE_MILLIS = 50;

  /** What a program prints once it has logged its first half. */
  private static final String HALF = "half of all";

  /** For programs that log no more than some thousand records a second. */
  static final Duration PATIENCE = Program.LONG.multipliedBy(Math.max(1, RECORDS / 10_000));

  private final Path folder;
  private final Map<String, DebianProgram> programs = new LinkedHashMap<>();
  private NodeProcess node;

  /** Starts the program that logs by a client. */
  interface Start {
    DebianProgram start(String client) throws IOException;
  }

  NumberedSenders(Path folder) throws IOException {
    this.folder = folder;
    String[] ports =
        Stream.of("--fluent-port", "--syslog-port", "--gelf-port")
            .flatMap(flag -> Stream.of(flag, Integer.toString(FreePorts.next())))
            .toArray(String[]::new);
    node = NodeProcess.start(folder, ports);
  }

  NodeProcess node() {
    return node;
  }

  /** In all of its records, before the number, which ends with a full stop. */
  static String sign(String client) {
    return "from " + client.replaceAll("\\W", "-") + " number ";
  }

  /** What a client's program and its notes are called. */
  static String file(String client, String end) {
    return sign(client).strip().replace(' ', '-') + end;
  }

  /** The second half may be logged once it is there. */
  Path go() {
    return folder.resolve("go");
  }

  /**
   * A script that logs both halves.
   *
   * @param script with places for the sign, after how many records it pauses, for how many
   *     milliseconds, half the records, the mark after them, the file that it waits for then, and
   *     again half and all of them
   */
  String logging(String client, String script) {
    return script.formatted(
        sign(client), A_PAUSE, PAUSE_MILLIS, RECORDS / 2, HALF, go(), RECORDS / 2, RECORDS);
  }

  /** A block of a page, as it is on this machine. */
  String here(DocBlock block) {
    return block
        .text()
        .replace("HOST", "127.0.0.1")
        .replaceAll("\\b7650\\b", Integer.toString(node.apiPort()))
        .replaceAll("\\b24224\\b", Integer.toString(node.port("fluent")))
        .replaceAll("\\b12201\\b", Integer.toString(node.port("gelf")))
        .replaceAll("\\b1514\\b", Integer.toString(node.port("syslog")));
  }

  /** Has all of them log both halves, and kills the node so often in the second. */
  void send(List<String> clients, Start start, int kills) throws IOException {
    for (String client : clients) {
      programs.put(client, start.start(client));
    }
    for (String client : clients) {
      DebianProgram program = program(client);
      await(client)
          .atMost(PATIENCE)
          .until(() -> program.printed().contains(HALF) || !program.runs());
      assertThat(program.printed()).as(client).contains(HALF);
      node.awaitCount(sign(client), 1);
    }
    Files.createFile(go());
    for (int kill = 0; kill < kills; kill++) {
      int more = RECORDS / 2 * kill / kills;
      await().atMost(PATIENCE).until(() -> isAnyBeyond(RECORDS / 2 + more));
      node.kill();
      node.close();
      node = node.startAgain(folder);
    }
  }

  private boolean isAnyBeyond(int records) throws IOException {
    for (String client : programs.keySet()) {
      if (node.count(sign(client)) > records) {
        return true;
      }
    }
    return false;
  }

  private DebianProgram program(String client) {
    return requireNonNull(programs.get(client), client);
  }

  String printed(String client) throws IOException {
    return program(client).printed();
  }

  /** Waits for programs that end once they have logged all. */
  void awaitEnds() {
    programs.forEach(
        (client, program) -> await(client).atMost(PATIENCE).until(() -> !program.runs()));
  }

  /** Waits until no record came for that long. */
  void awaitQuiet(Duration quiet) {
    var last = new AtomicLong(-1);
    await()
        .atMost(PATIENCE.plus(quiet.multipliedBy(5)))
        .pollInterval(quiet)
        .until(() -> {
          long now = node.count(" number ");
          return last.getAndSet(now) == now;
        });
  }

  /** How often each record is there. */
  int[] found(String client) throws IOException {
    int[] found = new int[RECORDS];
    String sign = sign(client);
    for (String record : node.find(sign)) {
      int at = record.indexOf(sign) + sign.length();
      found[Integer.parseInt(record.substring(at, record.indexOf('.', at)))]++;
    }
    return found;
  }

  /** Prints a row for the page. */
  void print(Class<?> test, String client) throws IOException {
    int[] found = found(client);
    System.out.printf(
        "%s: | %s | %d | %d | %d |%n",
        test.getSimpleName(),
        client,
        RECORDS,
        IntStream.of(found).filter(times -> times == 0).count(),
        IntStream.of(found).filter(times -> times > 1).count());
  }

  @Override
  public void close() {
    programs.values().forEach(DebianProgram::close);
    node.close();
  }
}
