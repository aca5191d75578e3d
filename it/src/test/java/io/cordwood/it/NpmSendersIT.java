package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of npm send with the page's blocks. {@code -Dcordwood.npm=FOLDER} names a folder in which
 * they are installed, as {@code bench/npm-senders} does.
 */
@EnabledIfSystemProperty(named = "cordwood.npm", matches = ".+")
final class NpmSendersIT {
  private static final int RECORDS = Integer.getInteger("cordwood.records", 1000);

  /** Longer than any of them waits before it tries again. */
  private static final Duration QUIET = Duration.ofSeconds(70);

  /** So that each logs for some seconds. */
  private static final int A_PAUSE = Math.max(1, RECORDS / 200);

  private static final int PAUSE_MILLIS = 50;

  private static final List<String> CLIENTS =
      List.of(
          "winston-loki",
          "pino-loki",
          "@opentelemetry/exporter-logs-otlp-proto",
          "@elastic/elasticsearch",
          "winston-elasticsearch",
          "fluent-logger",
          "gelf-pro",
          "splunk-logging",
          "winston-syslog");

  @TempDir private Path folder;
  private NodeProcess node;
  private final List<DebianProgram> programs = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    String[] ports =
        Stream.of("--fluent-port", "--syslog-port", "--gelf-port")
            .flatMap(flag -> Stream.of(flag, Integer.toString(FreePorts.next())))
            .toArray(String[]::new);
    node = NodeProcess.start(folder, ports);
  }

  @AfterEach
  void close() {
    programs.forEach(DebianProgram::close);
    node.close();
  }

  private String block(String client) throws IOException {
    return DocBlock.runBy(NpmSendersIT.class, "senders.md", "npm install " + client)
        .text()
        .replace("HOST", "127.0.0.1")
        .replaceAll("\\b7650\\b", Integer.toString(node.apiPort()))
        .replaceAll("\\b24224\\b", Integer.toString(node.port("fluent")))
        .replaceAll("\\b12201\\b", Integer.toString(node.port("gelf")))
        .replaceAll("\\b1514\\b", Integer.toString(node.port("syslog")));
  }

  /** In all of its records. */
  private static String sign(String client) {
    return "from " + client.replaceAll("\\W", "-") + " number ";
  }

  /** Logs the first half, and the second once a file is there; goes on until it is ended. */
  private String log(String client) {
    return """
    import { existsSync } from "node:fs";
    process.on("uncaughtException", e => console.log("uncaught", String(e).slice(0, 300)));
    const pause = ms => new Promise(done => setTimeout(done, ms));
    const records = async (from, to) => {
      for (let i = from; i < to; i++) {
        log.info("%s" + i + ".");
        if (i %% %d == 0) await pause(%d);
      }
    };
    await records(0, %d);
    console.log("half of all");
    while (!existsSync("%s")) await pause(10);
    await records(%d, %d);
    setInterval(() => {}, 1000);
    """
        .formatted(
            sign(client),
            A_PAUSE,
            PAUSE_MILLIS,
            RECORDS / 2,
            folder.resolve("go"),
            RECORDS / 2,
            RECORDS);
  }

  private DebianProgram start(String client) throws IOException {
    // Where packages are looked for.
    Path beside = Path.of(System.getProperty("cordwood.npm"));
    Path program = beside.resolve(sign(client).strip().replace(' ', '-') + ".mjs");
    Files.writeString(program, block(client) + log(client));
    return DebianProgram.start(
        folder.resolve(program.getFileName()), "/usr/bin/env", "node", program.toString());
  }

  private void send(boolean kill) throws Exception {
    for (String client : CLIENTS) {
      programs.add(start(client));
    }
    for (int i = 0; i < CLIENTS.size(); i++) {
      DebianProgram program = programs.get(i);
      await(CLIENTS.get(i)).until(() -> program.printed().contains("half of all"));
      node.awaitCount(sign(CLIENTS.get(i)), 1);
    }
    Files.createFile(folder.resolve("go"));
    if (kill) {
      await().until(this::isAnyInItsSecondHalf);
      node.kill();
      node.close();
      node = node.startAgain(folder);
    }
  }

  private boolean isAnyInItsSecondHalf() throws IOException {
    for (String client : CLIENTS) {
      if (node.count(sign(client)) > RECORDS / 2) {
        return true;
      }
    }
    return false;
  }

  /** How often each record is there. */
  private int[] found(String client) throws IOException {
    int[] found = new int[RECORDS];
    String sign = sign(client);
    for (String record : node.find(sign)) {
      int at = record.indexOf(sign) + sign.length();
      found[Integer.parseInt(record.substring(at, record.indexOf('.', at)))]++;
    }
    return found;
  }

  @Test
  void allThatTheySendIsThereOnce() throws Exception {
    send(false);
    for (int i = 0; i < CLIENTS.size(); i++) {
      node.awaitCount(sign(CLIENTS.get(i)), RECORDS);
      assertThat(found(CLIENTS.get(i)))
          .as("%s: %s", CLIENTS.get(i), programs.get(i).printed())
          .containsOnly(1);
    }
  }

  /** Each by itself: none of them keeps what is on its way until it is acknowledged. */
  @Test
  void lossesByAKillArePrinted() throws Exception {
    send(true);
    awaitQuiet();
    System.out.printf("NpmSendersIT: | client | logged | lost | twice |%n");
    for (String client : CLIENTS) {
      int[] found = found(client);
      System.out.printf(
          "NpmSendersIT: | %s | %d | %d | %d |%n",
          client,
          RECORDS,
          IntStream.of(found).filter(times -> times == 0).count(),
          IntStream.of(found).filter(times -> times > 1).count());
    }
  }

  private void awaitQuiet() {
    var last = new AtomicLong(-1);
    await()
        .atMost(Program.LONG.plus(QUIET.multipliedBy(5)))
        .pollInterval(QUIET)
        .until(() -> {
          long now = node.count(" number ");
          return last.getAndSet(now) == now;
        });
  }
}
