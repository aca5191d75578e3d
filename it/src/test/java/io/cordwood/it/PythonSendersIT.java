package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients for Python send with the page's blocks, and one reads as from Loki. {@code
 * -Dcordwood.python=FILE} names a Python that has them, as {@code bench/python-senders} does.
 */
@EnabledIfSystemProperty(named = "cordwood.python", matches = ".+")
final class PythonSendersIT {
  private static final int RECORDS = Integer.getInteger("cordwood.records", 1000);

  private static final List<String> CLIENTS =
      List.of(
          "opentelemetry-exporter-otlp",
          "elasticsearch",
          "fluent-logger",
          "loki-logger-handler",
          "pygelf",
          "splunk-handler");

  @TempDir private Path folder;

  private String python(String program) throws IOException {
    Path file = Files.writeString(folder.resolve("program.py"), program);
    return Tool.run(System.getProperty("cordwood.python"), file.toString());
  }

  private static String block(String client, NodeProcess node) throws IOException {
    return DocBlock.runBy(PythonSendersIT.class, "senders.md", "pip install " + client)
        .text()
        .replace("HOST", "127.0.0.1")
        .replaceAll("\\b7650\\b", Integer.toString(node.apiPort()))
        .replaceAll("\\b24224\\b", Integer.toString(node.port("fluent")));
  }

  /** Logs, ends all handlers, and waits for what they have sent. */
  private static String log(String client) {
    return """
    import logging
    log = logging.getLogger("shop")
    log.setLevel("INFO")
    log.addHandler(handler)
    for i in range(%d): log.info("%s %%d.", i)
    if hasattr(handler, "force_flush"): handler.force_flush()
    logging.shutdown()
    """
        .formatted(RECORDS, client);
  }

  private static String read(NodeProcess node) {
    return """
    from loki_reader_core import LokiClient
    with LokiClient(base_url="http://127.0.0.1:%d") as client:
        found = client.query('{topic="shop"} |= "pygelf 7."')
        print(sum(len(stream.entries) for stream in found.streams))
        print(client.get_labels())
    """
        .formatted(node.apiPort());
  }

  @Test
  void allThatTheySendIsThereAndIsReadAsFromLoki() throws Exception {
    try (NodeProcess node =
        NodeProcess.start(folder, "--fluent-port", Integer.toString(FreePorts.next()))) {
      for (String client : CLIENTS) {
        python(block(client, node) + log(client));
        node.awaitCount(client + " ", RECORDS);
        for (int number : IntStream.of(0, RECORDS - 1).toArray()) {
          assertThat(node.find(client + " " + number + ".")).hasSize(1);
        }
      }
      assertThat(python(read(node))).startsWith("1\n").contains("topic");
    }
  }
}
