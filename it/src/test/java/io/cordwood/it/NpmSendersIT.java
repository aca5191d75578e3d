package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  /** Longer than any of them waits before it tries again. */
  private static final Duration QUIET = Duration.ofSeconds(70);

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
  private NumberedSenders senders;

  @BeforeEach
  void start() throws IOException {
    senders = new NumberedSenders(folder);
  }

  @AfterEach
  void close() {
    senders.close();
  }

  /** Goes on until it is ended. */
  private String log(String client) {
    return senders.logging(
        client,
        """
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
        console.log("%s");
        while (!existsSync("%s")) await pause(10);
        await records(%d, %d);
        setInterval(() => {}, 1000);
        """);
  }

  private DebianProgram start(String client) throws IOException {
    // Where packages are looked for.
    Path beside = Path.of(System.getProperty("cordwood.npm"));
    Path program = beside.resolve(NumberedSenders.file(client, ".mjs"));
    String block =
        senders.here(DocBlock.runBy(NpmSendersIT.class, "senders.md", "npm install " + client));
    Files.writeString(program, block + log(client));
    return DebianProgram.start(
        folder.resolve(program.getFileName()), "/usr/bin/env", "node", program.toString());
  }

  @Test
  void allThatTheySendIsThereOnce() throws Exception {
    senders.send(CLIENTS, this::start, 0);
    for (String client : CLIENTS) {
      senders.node().awaitCount(NumberedSenders.sign(client), NumberedSenders.RECORDS);
      assertThat(senders.found(client))
          .as("%s: %s", client, senders.printed(client))
          .containsOnly(1);
    }
  }

  /** Each by itself: none of them keeps what is on its way until it is acknowledged. */
  @Test
  void lossesByAKillArePrinted() throws Exception {
    senders.send(CLIENTS, this::start, 1);
    senders.awaitQuiet(QUIET);
    System.out.printf("NpmSendersIT: | client | logged | lost | twice |%n");
    for (String client : CLIENTS) {
      senders.print(NpmSendersIT.class, client);
    }
  }
}
