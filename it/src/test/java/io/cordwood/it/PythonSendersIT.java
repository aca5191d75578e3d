package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients for Python send with the page's blocks, and one reads as from Loki. {@code
 * -Dcordwood.python=FILE} names a Python that has them, as {@code bench/python-senders} does.
 */
@EnabledIfSystemProperty(named = "cordwood.python", matches = ".+")
final class PythonSendersIT {
  /** Of the block: it sends each document until it is taken. */
  private static final String WITHOUT_END = "elasticsearch";

  /** Whose requests are answered, and who look at the answers. */
  private static final List<String> ANSWERED =
      List.of("opentelemetry-exporter-otlp", WITHOUT_END, "loki-logger-handler", "splunk-handler");

  /** Who send and do not ask what became of it. */
  private static final List<String> UNANSWERED = List.of("fluent-logger", "pygelf");

  private static final List<String> CLIENTS =
      Stream.concat(ANSWERED.stream(), UNANSWERED.stream()).toList();

  private static final int KILLS = 3;

  /** What programs have left in sockets when they end is there long before. */
  private static final Duration QUIET = Duration.ofSeconds(5);

  /**
   * Goes before a program, and notes of each request over HTTP which records it sent, and whether
   * the answer said that they are taken: {@code +} or {@code -} and the numbers, a line each.
   */
  private static final String NOTES =
      """
      import gzip, http.client, re, zlib
      http_connection = http.client.HTTPConnection
      http_send, http_answer, http_close = (
          http_connection.send, http_connection.getresponse, http_connection.close)

      def note(request, is_taken):
          _, _, body = request.partition(b"\\r\\n\\r\\n")
          for unpacked in gzip.decompress, zlib.decompress:
              try: body = unpacked(body)
              except (OSError, zlib.error): pass
          numbers = re.findall(rb" number (\\d+)[.]", body)
          if numbers:
              with open("%s", "ab") as notes:
                  notes.write((b"+ " if is_taken else b"- ") + b" ".join(numbers) + b"\\n")

      def noted_send(self, data):
          self.__dict__["request"] = self.__dict__.get("request", b"") + bytes(data)
          http_send(self, data)

      def noted_answer(self):
          request, is_taken = self.__dict__.pop("request", b""), False
          try:
              answer = http_answer(self)
              is_taken = 200 <= answer.status < 300
              return answer
          finally:
              note(request, is_taken)

      def noted_close(self):
          note(self.__dict__.pop("request", b""), False)
          http_close(self)

      http_connection.send = noted_send
      http_connection.getresponse = noted_answer
      http_connection.close = noted_close
      """;

  @TempDir private Path folder;
  private NumberedSenders senders;

  @BeforeEach
  void startNode() throws IOException {
    senders = new NumberedSenders(folder);
  }

  @AfterEach
  void close() {
    senders.close();
  }

  /** Ends all handlers, and waits for what they have sent. */
  private String log(String client) {
    return senders.logging(
        client,
        """
        import logging, os, time
        log = logging.getLogger("shop")
        log.setLevel("INFO")
        log.addHandler(handler)
        def records(first, end):
            for i in range(first, end):
                log.info("%s%%d.", i)
                if i %% %d == 0: time.sleep(%d / 1000)
        records(0, %d)
        print("%s", flush=True)
        while not os.path.exists("%s"): time.sleep(0.01)
        records(%d, %d)
        if hasattr(handler, "force_flush"): handler.force_flush()
        logging.shutdown()
        """);
  }

  private Path notes(String client) {
    return folder.resolve(NumberedSenders.file(client, ".notes"));
  }

  private DebianProgram start(String client) throws IOException {
    Path program = folder.resolve(NumberedSenders.file(client, ".py"));
    String block =
        senders.here(DocBlock.runBy(PythonSendersIT.class, "senders.md", "pip install " + client));
    Files.writeString(program, NOTES.formatted(notes(client)) + block + log(client));
    return DebianProgram.start(
        folder.resolve(NumberedSenders.file(client, "")), python(), program.toString());
  }

  private static String python() {
    return Path.of(System.getProperty("cordwood.python")).toAbsolutePath().toString();
  }

  private String read() throws IOException {
    String program =
        """
        from loki_reader_core import LokiClient
        with LokiClient(base_url="http://127.0.0.1:%d") as client:
            found = client.query('{topic="shop"} |= "%s7."')
            print(sum(len(stream.entries) for stream in found.streams))
            print(client.get_labels())
        """
            .formatted(senders.node().apiPort(), NumberedSenders.sign("pygelf"));
    return Tool.run(python(), Files.writeString(folder.resolve("read.py"), program).toString());
  }

  @Test
  void allThatTheySendIsThereAndIsReadAsFromLoki() throws Exception {
    senders.send(CLIENTS, this::start, 0);
    senders.awaitEnds();
    for (String client : CLIENTS) {
      senders.node().awaitCount(NumberedSenders.sign(client), NumberedSenders.RECORDS);
      assertThat(senders.found(client))
          .as("%s: %s", client, senders.printed(client))
          .containsOnly(1);
    }
    assertThat(read()).startsWith("1\n").contains("topic");
  }

  /** In how many of a client's requests each record was. */
  private int[] noted(String client, String kind) throws IOException {
    int[] noted = new int[NumberedSenders.RECORDS];
    Files.readAllLines(notes(client)).stream()
        .filter(line -> line.startsWith(kind))
        .flatMap(line -> Stream.of(line.substring(2).split(" ")))
        .forEach(number -> noted[Integer.parseInt(number)]++);
    return noted;
  }

  /**
   * A record is there as often as it was acknowledged, and once more a request cut off, at most.
   */
  private void checkNotes(String client) throws IOException {
    int[] taken = noted(client, "+");
    int[] unanswered = noted(client, "-");
    int[] found = senders.found(client);
    for (int i = 0; i < NumberedSenders.RECORDS; i++) {
      assertThat(found[i])
          .as("%s %d: %s", client, i, senders.printed(client))
          .isBetween(taken[i], taken[i] + unanswered[i]);
    }
    assertThat(taken).as(client).contains(1);
  }

  @Test
  void whatTheyWereToldIsTakenSurvivesKillsAndLossesArePrinted() throws Exception {
    senders.send(CLIENTS, this::start, KILLS);
    senders.awaitEnds();
    senders.awaitQuiet(QUIET);
    System.out.printf("PythonSendersIT: | client | logged | lost | twice |%n");
    for (String client : CLIENTS) {
      senders.print(PythonSendersIT.class, client);
    }
    for (String client : ANSWERED) {
      checkNotes(client);
    }
    assertThat(senders.found(WITHOUT_END)).doesNotContain(0);
  }
}
