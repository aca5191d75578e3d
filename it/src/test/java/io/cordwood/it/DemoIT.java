package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.FreePorts;
import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoIT {
  private static final Pattern STORE = Pattern.compile("store-1 +pid=(\\d+) ");

  /** Of what a busy machine did too late. */
  private static final Pattern LATE = Pattern.compile("(?i)timed out|time-?out|took (too|more)");

  private static final int PORTS = 60;

  @TempDir private Path folder;

  /** The warnings of each node's first half minute; a slower machine may see some after it. */
  private static List<String> warnings(Path data) throws IOException {
    List<String> all = new ArrayList<>();
    try (var files = Files.newDirectoryStream(data, "*.log")) {
      for (Path file : files) {
        List<String> lines = Files.readAllLines(file);
        String end = Instant.parse(lines.getFirst().split(" ", 2)[0]).plusSeconds(29).toString();
        lines.stream()
            .filter(line -> line.contains("WARN") || line.contains("ERROR"))
            .filter(line -> line.compareTo(end) < 0 || !line.startsWith("20"))
            .filter(LATE.asPredicate().negate())
            .forEach(all::add);
      }
    }
    return all;
  }

  @Test
  void aClusterInOneCommandTakesRecordsAnswersAndOutlivesAStore() throws Exception {
    int base = FreePorts.row(PORTS);
    try (Program demo =
        Program.start("demo", "--port-base=" + base, "--data=" + folder.resolve("data"))) {
      demo.awaitOut(Pattern.compile("end +Ctrl-C"));
      assertThat(demo.err()).as("a healthy start is silent").isEmpty();
      var node = new NodeApi(new HostPort("localhost", base + 10));
      await()
          .until(
              () -> node.get("/cluster").lines().filter(l -> l.contains("\talive\t")).count() == 5);
      Sender.deliver(base + 1, "one order\ntwo orders\n".getBytes(StandardCharsets.US_ASCII));
      await().until(() -> node.count("order") == 2);
      assertThat(warnings(folder.resolve("data"))).as("a healthy start").isEmpty();
      Matcher store = STORE.matcher(demo.out());
      assertThat(store.find()).isTrue();
      Tool.run("kill", "-9", store.group(1));
      demo.awaitOut(Pattern.compile("store-1 ended"));
      assertThat(node.count("order")).isEqualTo(2);
      demo.terminate();
      demo.end();
    }
    await().until(() -> FreePorts.areFree(base, PORTS));
  }
}
