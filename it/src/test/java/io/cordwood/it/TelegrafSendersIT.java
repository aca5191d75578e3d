package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Telegraf reads a file and sends it with the page's blocks, through a kill of the node. {@code
 * -Dcordwood.telegraf=FILE} names the program, as {@code bench/telegraf-senders} does.
 */
@EnabledIfSystemProperty(named = "cordwood.telegraf", matches = ".+")
final class TelegrafSendersIT {
  private static final int LINES = Integer.getInteger("cordwood.records", 10_000);
  private static final int BEFORE_THE_KILL = LINES / 2;

  /** For all of them: Telegraf reads no more than some thousand a second. */
  private static final Duration PATIENCE = Program.LONG.multipliedBy(Math.max(1, LINES / 10_000));

  private static final Pattern NUMBER = Pattern.compile("\\bnumber (\\d+)\\b");

  /** In the records of each output. */
  private static final List<String> SIGNS = List.of("\"measurement_name\":\"till\"", "value=");

  @TempDir private Path folder;
  private NodeProcess node;

  @BeforeEach
  void start() throws IOException {
    node = NodeProcess.start(folder);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void write(int from, int to) throws IOException {
    Files.writeString(
        folder.resolve("in.log"),
        IntStream.range(from, to)
            .mapToObj("number %d of a file\n"::formatted)
            .collect(Collectors.joining()),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private String block(String sign) throws IOException {
    return DocBlock.runBy(TelegrafSendersIT.class, "senders.md", sign)
        .text()
        .replaceAll("node1", "127.0.0.1")
        .replaceAll("\\b7650\\b", Integer.toString(node.apiPort()));
  }

  private DebianProgram telegraf() throws IOException {
    String configuration =
        """
        [agent]
          interval = "1s"
          flush_interval = "1s"
        [[inputs.tail]]
          files = ["%s"]
          initial_read_offset = "beginning"
          data_format = "value"
          data_type = "string"
          name_override = "till"
        %s
        %s
        """
            .formatted(
                folder.resolve("in.log"), block("outputs.elasticsearch"), block("outputs.loki"));
    Path file = Files.writeString(folder.resolve("telegraf.conf"), configuration);
    return DebianProgram.start(
        folder.resolve("telegraf"),
        Path.of(System.getProperty("cordwood.telegraf")).toAbsolutePath().toString(),
        "--config",
        file.toString());
  }

  private int[] found(String sign) throws IOException {
    int[] found = new int[LINES];
    for (String record : node.find(sign)) {
      Matcher number = NUMBER.matcher(record);
      assertThat(number.find()).as(record).isTrue();
      found[Integer.parseInt(number.group(1))]++;
    }
    return found;
  }

  @Test
  void allIsThereAfterAKill() throws Exception {
    write(0, BEFORE_THE_KILL);
    try (DebianProgram telegraf = telegraf()) {
      for (String sign : SIGNS) {
        node.awaitCount(sign, 1);
      }
      node.kill();
      node.close();
      node = node.startAgain(folder);
      write(BEFORE_THE_KILL, LINES);
      for (String sign : SIGNS) {
        await(sign)
            .atMost(PATIENCE)
            .ignoreExceptionsInstanceOf(IOException.class)
            .untilAsserted(() ->
                assertThat(IntStream.of(found(sign)).filter(times -> times == 0).count())
                    .as(telegraf.printed())
                    .isZero());
        System.out.printf(
            "TelegrafSendersIT: | %s | %d lines | lost 0 | twice %d |%n",
            sign, LINES, IntStream.of(found(sign)).filter(times -> times > 1).count());
      }
    }
  }
}
