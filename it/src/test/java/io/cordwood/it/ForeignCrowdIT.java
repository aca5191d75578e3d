package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.net.FreePorts;
import io.cordwood.it.ForeignClient.Protocol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of five protocols at once, on a node with the memory that it has in a container of 512
 * MiB. {@code -Dcordwood.clients=N} says how many there are of each protocol.
 */
final class ForeignCrowdIT {
  private static final int CLIENTS = Integer.getInteger("cordwood.clients", 20);
  private static final int REQUESTS = 5;
  private static final int RECORDS = 100;
  private static final String TEXT = " of a record that is as long as records often are".repeat(4);
  private static final Pattern RECORD = Pattern.compile("crowd \\d+ \\d+ \\d+ ");

  private static final String OF_A_SMALL_CONTAINER =
      "CORDWOOD_JAVA_OPTS=\"$CORDWOOD_JAVA_OPTS -Xmx256m -XX:MaxDirectMemorySize=96m\""
          + " exec \"$@\"";

  private static final long MOST_MEMORY_BYTES = 512L << 20;

  @TempDir private Path folder;

  private static String[] records(int client, int request) {
    return IntStream.range(0, RECORDS)
        .mapToObj(i -> "crowd %d %d %d%s".formatted(client, request, i, TEXT))
        .toArray(String[]::new);
  }

  /** All have half of their first request on its way before any sends the rest. */
  private static void send(ForeignClient client, int number, CyclicBarrier all) throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      byte[] request = client.request(i, records(number, i));
      client.send(request, 0, request.length / 2);
      if (i == 0) {
        all.await();
      }
      client.send(request, request.length / 2, request.length);
      while (!client.isTaken()) {
        client.sendAgain(request);
      }
    }
  }

  private static void sendAll(NodeProcess node) throws Exception {
    var all = new CyclicBarrier(CLIENTS * Protocol.values().length);
    List<Future<?>> running = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Protocol protocol : Protocol.values()) {
        for (int i = 0; i < CLIENTS; i++) {
          int number = running.size();
          running.add(
              threads.submit(() -> {
                try (var client = new ForeignClient(protocol, number, node)) {
                  send(client, number, all);
                }
                return null;
              }));
        }
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  @Test
  void allThatClientsOfFiveProtocolsAreToldIsTakenIsThereAndMemorySuffices() throws Exception {
    try (NodeProcess node =
        NodeProcess.startBy(
            OF_A_SMALL_CONTAINER,
            folder,
            "--syslog-port",
            Integer.toString(FreePorts.next()),
            "--fluent-port",
            Integer.toString(FreePorts.next()))) {
      sendAll(node);
      node.awaitCount("crowd ", (long) Protocol.values().length * CLIENTS * REQUESTS * RECORDS);
      for (int client = 0; client < Protocol.values().length * CLIENTS; client++) {
        assertFound(node, client);
      }
      assertThat(node.program().isAlive()).isTrue();
      assertThat(node.program().err()).doesNotContain("OutOfMemory", "Exception");
      assertThat(node.program().peakMemoryBytes()).isLessThan(MOST_MEMORY_BYTES);
    }
  }

  private static void assertFound(NodeProcess node, int client) throws IOException {
    List<String> found =
        node.find("crowd " + client + " ").stream()
            .flatMap(record -> RECORD.matcher(record).results())
            .map(MatchResult::group)
            .collect(Collectors.toList());
    assertThat(found).hasSize(REQUESTS * RECORDS).doesNotHaveDuplicates();
  }
}
