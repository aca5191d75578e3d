package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Values;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.IngestOptions.Limits;
import io.cordwood.ingest.IngestOptions.Quotas;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The flags that bound what senders may ask of a node. */
final class LimitFlags {
  /** Each has counters of its own, which a node lists in its metrics. */
  private static final int MOST_TOPICS = 10_000;

  @Option(
      names = "--max-topics",
      paramLabel = "N",
      description =
          "Topics that are taken besides that of --topic until the node is started anew, at most "
              + "10000; those beyond are refused. Default: ${DEFAULT-VALUE}.")
  int maxTopics = Quotas.DEFAULT.maxTopics();

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description = "Senders at once; those beyond are refused. Default: ${DEFAULT-VALUE}.")
  int maxConnections = Limits.DEFAULT.maxConnections();

  @Option(
      names = "--max-connections-per-address",
      paramLabel = "N",
      description = "Senders at once from one address. Default: as many as --max-connections.")
  int maxConnectionsPerAddress = Quotas.DEFAULT.maxConnectionsPerAddress();

  @Option(
      names = "--max-held",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "Memory for unfinished lines and batches of all senders; beyond, long ones are cut or "
              + "refused. Default: 64MiB.")
  long maxHeldBytes = Limits.DEFAULT.maxHeldBytes();

  @Option(
      names = "--max-rate",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "Bytes a second that are read from all senders; they wait beyond. Default: no limit.")
  long maxRate = Quotas.DEFAULT.maxBytesPerSecond();

  @Option(
      names = "--max-connection-rate",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description = "Bytes a second that are read from each sender. Default: no limit.")
  long maxConnectionRate = Quotas.DEFAULT.maxConnectionBytesPerSecond();

  @Option(
      names = "--drain",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description =
          "How long a node that ends goes on reading senders that go on sending. Default: 5s.")
  Duration drain = Limits.DEFAULT.drain();

  @Option(
      names = "--hand-over",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description =
          "How long a node that ends waits for stores to consume what it holds; it keeps what is "
              + "left for its next start. Default: 2s.")
  Duration handOver = IngestOptions.DEFAULT_HAND_OVER;

  /** Adds them, checked. */
  IngestOptions addTo(IngestOptions options) {
    atLeastOne("--max-topics", maxTopics);
    if (maxTopics > MOST_TOPICS) {
      throw new CommandException(
          "--max-topics: expected at most %d, found %d".formatted(MOST_TOPICS, maxTopics));
    }
    atLeastOne("--max-connections", maxConnections);
    atLeastOne("--max-connections-per-address", maxConnectionsPerAddress);
    atLeastOne("--max-held", maxHeldBytes);
    atLeastOne("--max-rate", maxRate);
    atLeastOne("--max-connection-rate", maxConnectionRate);
    Limits usual = options.limits();
    return options
        .withLimits(
            new Limits(maxConnections, maxHeldBytes, usual.reserveBytes(), usual.maxSkew(), drain))
        .withQuotas(new Quotas(maxTopics, maxConnectionsPerAddress, maxRate, maxConnectionRate))
        .withHandOver(handOver);
  }

  private static void atLeastOne(String flag, long found) {
    if (found < 1) {
      throw new CommandException(flag + ": expected 1 or more, found " + found);
    }
  }

  /** How long ending may take at most, with everything after it. */
  Duration longestStop() {
    return drain.plus(handOver);
  }
}
