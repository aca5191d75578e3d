package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.IngestOptions.Limits;
import io.cordwood.ingest.IngestOptions.Quotas;
import java.time.Duration;

/** The flags that bound what senders may ask of a node. */
final class LimitFlags implements Flags {
  /** Each has counters of its own, which a node lists in its metrics. */
  private static final int MOST_TOPICS = 10_000;

  int maxTopics = Quotas.DEFAULT.maxTopics();
  int maxConnections = Limits.DEFAULT.maxConnections();
  int maxConnectionsPerAddress = Quotas.DEFAULT.maxConnectionsPerAddress();
  long maxHeldBytes = Limits.DEFAULT.maxHeldBytes();
  long maxRate = Quotas.DEFAULT.maxBytesPerSecond();
  long maxConnectionRate = Quotas.DEFAULT.maxConnectionBytesPerSecond();
  Duration drain = Limits.DEFAULT.drain();
  Duration handOver = IngestOptions.Consuming.DEFAULT.handOver();

  @Override
  public void list(FlagList list) {
    list.flag("--max-topics")
        .label("N")
        .help(
            "Topics that are taken besides that of --topic until the node is started anew, at most "
                + "10000; those beyond are refused. Default: ${DEFAULT-VALUE}.")
        .value(int.class, maxTopics, value -> maxTopics = value);
    list.flag("--max-connections")
        .label("N")
        .help("Senders at once; those beyond are refused. Default: ${DEFAULT-VALUE}.")
        .value(int.class, maxConnections, value -> maxConnections = value);
    list.flag("--max-connections-per-address")
        .label("N")
        .help("Senders at once from one address. Default: as many as --max-connections.")
        .value(int.class, maxConnectionsPerAddress, value -> maxConnectionsPerAddress = value);
    list.flag("--max-held")
        .label("BYTES")
        .help(
            "Memory for unfinished lines and batches of all senders; beyond, long ones are cut or "
                + "refused. Default: 64MiB.")
        .size(maxHeldBytes, value -> maxHeldBytes = value);
    list.flag("--max-rate")
        .label("BYTES")
        .help("Bytes a second that are read from all senders; they wait beyond. Default: no limit.")
        .size(maxRate, value -> maxRate = value);
    list.flag("--max-connection-rate")
        .label("BYTES")
        .help("Bytes a second that are read from each sender. Default: no limit.")
        .size(maxConnectionRate, value -> maxConnectionRate = value);
    list.flag("--drain")
        .label("DURATION")
        .help("How long a node that ends goes on reading senders that go on sending. Default: 5s.")
        .duration(drain, value -> drain = value);
    list.flag("--hand-over")
        .label("DURATION")
        .help(
            "How long a node that ends waits for stores to consume what it holds; it keeps what is "
                + "left for its next start. Default: 2s.")
        .duration(handOver, value -> handOver = value);
  }

  /** Adds them, checked. */
  IngestOptions addTo(IngestOptions options) {
    FlagBounds.atLeastOne("--max-topics", maxTopics);
    if (maxTopics > MOST_TOPICS) {
      throw new CommandException(
          "--max-topics: expected at most %d, found %d".formatted(MOST_TOPICS, maxTopics));
    }
    FlagBounds.atLeastOne("--max-connections", maxConnections);
    FlagBounds.atLeastOne("--max-connections-per-address", maxConnectionsPerAddress);
    FlagBounds.atLeastOne("--max-held", maxHeldBytes);
    FlagBounds.atLeastOne("--max-rate", maxRate);
    FlagBounds.atLeastOne("--max-connection-rate", maxConnectionRate);
    Limits usual = options.limits();
    return options
        .with(
            new Limits(maxConnections, maxHeldBytes, usual.reserveBytes(), usual.maxSkew(), drain))
        .with(new Quotas(maxTopics, maxConnectionsPerAddress, maxRate, maxConnectionRate))
        .withHandOver(handOver);
  }

  /** How long ending may take at most, with everything after it. */
  Duration longestStop() {
    return drain.plus(handOver);
  }
}
