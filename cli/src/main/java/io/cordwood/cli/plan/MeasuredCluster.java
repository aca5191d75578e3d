package io.cordwood.cli.plan;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.question.NodeAddress;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.http.client.CliClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The work of a running cluster, by the growth of its nodes' counters.
 *
 * @param seconds between the two looks
 * @param grown by how much counters have grown in that time, over all nodes
 */
record MeasuredCluster(double seconds, Counters grown) {
  /** The processor time of a node. */
  static final String CPU = "process_cpu_seconds_total";

  static final String RECEIVED = "cordwood_ingest_bytes_received_total";
  static final String CONSUMED = "cordwood_store_consumed_bytes_total";
  static final String SETTLE_CPU = "cordwood_store_settle_cpu_seconds_total";
  static final String SETTLED_FROM = "cordwood_store_settle_in_bytes_total";
  static final String SETTLED_TO = "cordwood_store_settle_out_bytes_total";
  static final String COMPACT_CPU = "cordwood_store_compaction_cpu_seconds_total";
  static final String COPIED = "cordwood_store_replicas_received_bytes_total";

  private static final int MOST_ANSWER = 16 << 20;
  private static final int OK = 200;
  private static final String ORIGIN = "measured";

  /** Below that, what nodes do besides would count more. */
  private static final double LEAST_BYTES = 10e6;

  /**
   * Looks twice at the counters of all nodes.
   *
   * @param addresses of all nodes of the cluster, as {@code --node} has them
   * @throws CommandException if a node does not answer as one; the message names it
   */
  static MeasuredCluster of(List<String> addresses, CliClient client, Duration between)
      throws InterruptedException {
    List<NodeAddress> nodes = addresses.stream().map(MeasuredCluster::address).toList();
    long start = System.nanoTime();
    Counters before = read(nodes, client);
    Thread.sleep(between);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new MeasuredCluster(seconds, read(nodes, client).since(before));
  }

  private static NodeAddress address(String text) {
    try {
      return NodeAddress.parse(text);
    } catch (CommandException e) {
      throw new CommandException(
          String.valueOf(e.getMessage()).replaceFirst("^--node", "--measured"), e);
    }
  }

  private static Counters read(List<NodeAddress> nodes, CliClient client) {
    return nodes.stream()
        .map(node -> read(node, client))
        .reduce(Counters::plus)
        .orElseThrow(() -> new CommandException("--measured: expected a node, found none"));
  }

  private static Counters read(NodeAddress node, CliClient client) {
    try (Answer answer = client.get(node.uri(ApiPaths.METRICS));
        InputStream body = answer.body()) {
      Counters counters =
          Counters.parse(new String(body.readNBytes(MOST_ANSWER), StandardCharsets.UTF_8));
      if (answer.status() != OK || !counters.has(CPU)) {
        throw new CommandException(
            "--measured: %s: expected metrics with %s, found status %d without it"
                .formatted(node, CPU, answer.status()));
      }
      return counters;
    } catch (IOException e) {
      throw new CommandException(
          "--measured: expected an answer of each node, found none: " + e.getMessage(), e);
    }
  }

  /** Bytes of lines that came in a second. */
  double load() {
    return grown.of(RECEIVED) / seconds;
  }

  /**
   * Parameters with what was measured.
   *
   * @throws CommandException if too little came to say
   */
  Parameters addTo(Parameters before) {
    double received = grown.of(RECEIVED);
    double consumed = grown.of(CONSUMED);
    if (Math.max(received, consumed) < LEAST_BYTES) {
      throw new CommandException(
          "--measured: expected at least 10 MB of lines in %.0f s, found %.1f MB: too few to say;"
                  .formatted(seconds, Math.max(received, consumed) / 1e6)
              + " give a longer --for");
    }
    Parameters found = before;
    double firstSize = before.of(Parameter.FIRST_SIZE);
    double settled = grown.of(SETTLED_FROM) / firstSize;
    if (settled >= LEAST_BYTES) {
      found =
          found
              .with(
                  Parameter.SETTLED_SIZE,
                  firstSize * grown.of(SETTLED_TO) / grown.of(SETTLED_FROM),
                  ORIGIN)
              .with(Parameter.SETTLE_CPU, grown.of(SETTLE_CPU) * 1e9 / settled, ORIGIN);
    }
    return found.with(Parameter.OVERHEAD, overhead(found), ORIGIN);
  }

  /** All processor time but for settling and compaction, over that of the parts that were done. */
  private double overhead(Parameters costs) {
    double firstSize = costs.of(Parameter.FIRST_SIZE);
    double taken = grown.of(CPU) - grown.of(SETTLE_CPU) - grown.of(COMPACT_CPU);
    double parts =
        (grown.of(RECEIVED) * costs.of(Parameter.RECEIVE_CPU)
                + grown.of(CONSUMED)
                    * (costs.of(Parameter.SERVE_CPU) + costs.of(Parameter.WRITE_CPU))
                + grown.of(COPIED) / firstSize * costs.of(Parameter.COPY_CPU))
            / 1e9;
    return Math.max(0.1, taken / parts);
  }
}
