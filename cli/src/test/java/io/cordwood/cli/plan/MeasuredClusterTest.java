package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.cordwood.cli.program.CommandException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Costs are read of the metrics of a cluster, by how much they grow. */
final class MeasuredClusterTest {
  private final Queue<String> ingest = new ConcurrentLinkedQueue<>();
  private final Queue<String> store = new ConcurrentLinkedQueue<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answer("/ingest/metrics", ingest);
    answer("/store/metrics", store);
    server.start();
  }

  private void answer(String path, Queue<String> answers) {
    server.createContext(
        path,
        exchange -> {
          byte[] body = String.valueOf(answers.poll()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private PlanRun run(String... more) throws IOException, InterruptedException {
    String at = "http://127.0.0.1:" + server.getAddress().getPort();
    String[] all = new String[more.length + 2];
    all[0] = "--measured=" + at + "/ingest," + at + "/store";
    all[1] = "--for=1ms";
    System.arraycopy(more, 0, all, 2, more.length);
    return PlanRun.of(all);
  }

  private void ingests(double cpu, double one, double other) {
    ingest.add(
        """
        # HELP process_cpu_seconds_total Processor time that the process took
        # TYPE process_cpu_seconds_total counter
        process_cpu_seconds_total %f
        cordwood_ingest_bytes_received_total{topic="a b"} %f
        cordwood_ingest_bytes_received_total{topic="c"} %f
        """
            .formatted(cpu, one, other));
  }

  private void stores(double cpu, double consumed, double copied, double... upkeep) {
    store.add(
        """
        process_cpu_seconds_total %f
        cordwood_store_consumed_bytes_total %f
        cordwood_store_replicas_received_bytes_total %f
        cordwood_store_settle_cpu_seconds_total %f
        cordwood_store_settle_in_bytes_total %f
        cordwood_store_settle_out_bytes_total %f
        cordwood_store_compaction_cpu_seconds_total %f
        """
            .formatted(cpu, consumed, copied, upkeep[0], upkeep[1], upkeep[2], upkeep[3]));
  }

  @Test
  void costsAreHowMuchCountersGrow() throws Exception {
    ingests(10, 1e9, 5e9);
    ingests(13, 2e9, 6e9);
    stores(100, 8e9, 0, 20, 1e9, 0.5e9, 5);
    stores(140, 10e9, 0.285e9, 30, 1.285e9, 0.7e9, 7);
    PlanRun run = run();
    // 43 s less 10 for settling and 2 for compaction; 2 GB received and stored, 1 GB copied.
    assertThat(run.plan().parameters().of(Parameter.OVERHEAD))
        .isCloseTo(31 / (2 * (0.57 + 0.85 + 4.3) + 2.76), within(1e-6));
    assertThat(run.plan().parameters().of(Parameter.SETTLE_CPU)).isCloseTo(10, within(1e-6));
    assertThat(run.plan().parameters().of(Parameter.SETTLED_SIZE)).isCloseTo(0.2, within(1e-6));
    MeasuredCluster cluster = run.costs().cluster().orElseThrow();
    assertThat(run.plan().load().bytesPerSecond()).isEqualTo(2e9 / cluster.seconds());
    assertThat(run.text()).contains("rests on      what these nodes did for ");
  }

  @Test
  void aLoadThatIsGivenCountsMore() throws Exception {
    ingests(10, 1e9, 5e9);
    ingests(13, 2e9, 6e9);
    stores(100, 8e9, 0, 20, 1e9, 0.5e9, 5);
    stores(110, 10e9, 0, 20, 1e9, 0.5e9, 5);
    PlanRun run = run("--load=5MB/s");
    assertThat(run.plan().load().bytesPerSecond()).isEqualTo(5e6);
    assertThat(run.plan().parameters().of(Parameter.SETTLE_CPU))
        .isEqualTo(Parameter.SETTLE_CPU.usual());
  }

  @Test
  void littleIsTooFewToSay() {
    ingests(10, 1e9, 5e9);
    ingests(10, 1e9, 5.001e9);
    stores(100, 8e9, 0, 20, 1e9, 0.5e9, 5);
    stores(100, 8e9, 0, 20, 1e9, 0.5e9, 5);
    assertThatThrownBy(this::run)
        .isInstanceOf(CommandException.class)
        .hasMessage(
            "--measured: expected at least 10 MB of lines in 0 s, found 1.0 MB: too few to say;"
                + " give a longer --for");
  }

  @Test
  void whatIsNoNodeIsNamed() {
    ingest.add("<html>");
    assertThatThrownBy(this::run)
        .isInstanceOf(CommandException.class)
        .hasMessageMatching(
            "--measured: 127\\.0\\.0\\.1:\\d+/ingest: expected metrics with"
                + " process_cpu_seconds_total, found status 200 without it");
  }
}
