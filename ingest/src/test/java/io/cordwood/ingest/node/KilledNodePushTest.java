package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

/**
 * Clients of all protocols over HTTP, which send each request until it is answered as taken, while
 * the node is killed: what is there then is compared with what each was told, record by record.
 */
final class KilledNodePushTest extends KilledNodeFixture {
  private static final int A_REQUEST = 100;
  private static final int REQUESTS = RECORDS / A_REQUEST;
  private static final int KILLS = Math.max(1, RECORDS / 20_000);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Pattern TEXT = Pattern.compile("([A-Z_]+) number (\\d+)\\b");

  /** What a client of a protocol was told, and what is there. */
  private static final class Told {
    private final PushedBatch protocol;

    /** How often each request ended without an answer, or with one that it may be stored. */
    private final int[] inDoubt = new int[REQUESTS];

    /** How often each record is stored. */
    private final int[] times = new int[RECORDS];

    private volatile int acknowledged;

    Told(PushedBatch protocol) {
      this.protocol = protocol;
    }

    int acknowledgedRecords() {
      return acknowledged * A_REQUEST;
    }

    void sendAll(OkHttpClient client, int port) throws IOException {
      for (int request = 0; request < REQUESTS; request++) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isTaken(client, port, request)) {
          assertThat(System.nanoTime() - end).as("%s is not taken", protocol).isNegative();
          LockSupport.parkNanos(PAUSE_NANOS);
        }
        acknowledged = request + 1;
      }
    }

    private boolean isTaken(OkHttpClient client, int port, int request) {
      List<String> texts =
          IntStream.range(request * A_REQUEST, (request + 1) * A_REQUEST)
              .mapToObj(number -> protocol + " number " + number)
              .toList();
      try (Response answer = client.newCall(protocol.to(port, texts)).execute()) {
        if (protocol.isTaken(answer)) {
          return true;
        }
        inDoubt[request]++;
      } catch (ConnectException e) {
        return false; // nobody has listened
      } catch (IOException e) {
        inDoubt[request]++;
      }
      return false;
    }

    Stream<String> wrong() {
      return IntStream.range(0, acknowledgedRecords())
          .filter(i -> times[i] < 1 || times[i] > 1 + inDoubt[i / A_REQUEST])
          .mapToObj(i -> protocol + " number " + i + " is there " + times[i] + " times");
    }

    /** Acknowledged, lost, there more than once, and as many as that may be. */
    String row() {
      return "| %s | %d | %d | %d | %d |%n"
          .formatted(
              protocol,
              acknowledgedRecords(),
              IntStream.range(0, acknowledgedRecords()).filter(i -> times[i] == 0).count(),
              IntStream.of(times).filter(n -> n > 1).count(),
              IntStream.of(inDoubt).filter(n -> n > 0).count() * A_REQUEST);
    }
  }

  private static OkHttpClient client(PushedBatch protocol) {
    return new OkHttpClient.Builder()
        .protocols(
            List.of(
                protocol == PushedBatch.OTLP_GRPC
                    ? Protocol.H2_PRIOR_KNOWLEDGE
                    : Protocol.HTTP_1_1))
        .connectionPool(new ConnectionPool(1, 1, TimeUnit.MINUTES))
        .retryOnConnectionFailure(false) // it would not say that it has
        .readTimeout(RunningNode.PATIENCE)
        .build();
  }

  private static void send(Told told, int port) throws IOException {
    OkHttpClient client = client(told.protocol);
    try {
      told.sendAll(client, port);
    } finally {
      client.connectionPool().evictAll();
    }
  }

  /** Kills the node, and starts it again, whenever one of them has come that far. */
  private void sendThroughKills(List<Told> all) throws Exception {
    int port = node().apiPort();
    List<Future<?>> sending = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(all.size())) {
      for (Told told : all) {
        sending.add(
            threads.submit(() -> {
              send(told, port);
              return null;
            }));
      }
      for (int kill = 1; kill <= KILLS; kill++) {
        int some = RECORDS / (KILLS + 1) * kill;
        await()
            .atMost(PATIENCE)
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(1))
            .until(() -> all.stream().anyMatch(told -> told.acknowledgedRecords() >= some));
        node().kill();
        node().startAgain();
      }
      for (Future<?> each : sending) {
        each.get();
      }
    }
  }

  private void countStored(List<Told> all) throws IOException {
    Map<String, Told> byName =
        all.stream().collect(Collectors.toMap(told -> told.protocol.name(), told -> told));
    for (String record : records()) {
      Matcher text = TEXT.matcher(record);
      assertThat(text.find()).as(record).isTrue();
      Told told = Objects.requireNonNull(byName.get(text.group(1)), record);
      told.times[Integer.parseInt(text.group(2))]++;
    }
  }

  @Test
  void allIsThereThatAnyProtocolAcknowledgesAndTwiceOnlyWhatItDidNot() throws Exception {
    List<Told> all = new ArrayList<>();
    for (PushedBatch protocol : PushedBatch.values()) {
      all.add(new Told(protocol));
    }
    sendThroughKills(all);
    countStored(all);
    var table = new StringBuilder("KilledNodePushTest: %d kills%n".formatted(KILLS));
    List<String> wrong = new ArrayList<>();
    for (Told told : all) {
      table.append(told.row());
      told.wrong().forEach(wrong::add);
    }
    System.out.print(table);
    assertThat(wrong).as(table.toString()).isEmpty();
    assertThat(all).allMatch(told -> told.acknowledged == REQUESTS);
  }
}
