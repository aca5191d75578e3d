package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.common.cluster.SenderPorts;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.text.Durations;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.IngestOptions.Bulk;
import io.cordwood.ingest.IngestOptions.Committing;
import io.cordwood.ingest.IngestOptions.Consuming;
import io.cordwood.ingest.IngestOptions.Flushing;
import io.cordwood.ingest.IngestOptions.Listening;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags of nodes that take records. */
final class IngestFlags implements Flags {
  private static final long MIN_FLUSH_BYTES = 1 << 20;
  private static final long MAX_FLUSH_BYTES = 1 << 30;
  private static final Duration MIN_LEASE = Duration.ofSeconds(1);
  private static final Duration MAX_LEASE = Duration.ofHours(1);
  private static final Duration MAX_COMMIT_DELAY = Duration.ofSeconds(1);

  int fastPort = Listening.FAST_PORT;
  int durablePort = Listening.DURABLE_PORT;
  @Nullable Integer advertisedFastPort;
  @Nullable Integer advertisedDurablePort;
  Duration commitDelay = Committing.DEFAULT.delay();
  int bulkPort = Bulk.PORT;
  long bulkMaxBytes = Bulk.DEFAULT.maxBytes();
  Duration bulkWait = Bulk.DEFAULT.longestWait();
  String topic = Topic.DEFAULT.name();
  boolean openIngest;
  long flushBytes = Flushing.DEFAULT.segmentBytes();
  Duration flushAge = Flushing.DEFAULT.age();
  Duration lease = Consuming.DEFAULT.lease();
  LimitFlags limits = new LimitFlags();
  ForeignFlags foreign = new ForeignFlags();

  @Override
  public void list(FlagList list) {
    list.flag("--fast-port")
        .label("PORT")
        .help(
            "Lines, or batches of 'cordwood forward', over TCP. 0: any free one. "
                + "Default: ${DEFAULT-VALUE}.")
        .value(int.class, fastPort, value -> fastPort = value);
    list.flag("--durable-port")
        .label("PORT")
        .help(
            "As the fast port, but what is acknowledged was forced to the disk. 0: any free one. "
                + "Default: ${DEFAULT-VALUE}.")
        .value(int.class, durablePort, value -> durablePort = value);
    list.flag("--advertise-fast-port")
        .label("PORT")
        .help(
            "Fast port as senders reach it, for a node whose ports are published under other "
                + "numbers. Default: that of --fast-port.")
        .value(Integer.class, advertisedFastPort, value -> advertisedFastPort = value);
    list.flag("--advertise-durable-port")
        .label("PORT")
        .help("The same for the durable port. Default: that of --durable-port.")
        .value(Integer.class, advertisedDurablePort, value -> advertisedDurablePort = value);
    list.flag("--commit-delay")
        .label("DURATION")
        .help(
            "How long a force of durable mode may wait for more to force. Default: 0s, which "
                + "forces together what came during the force before.")
        .duration(commitDelay, value -> commitDelay = value);
    listUploads(list);
  }

  private void listUploads(FlagList list) {
    list.flag("--bulk-port")
        .label("PORT")
        .help(
            "Uploads over TCP: lines or batches up to the end of the connection, acknowledged when "
                + "they are on the stores. 0: any free one. Default: ${DEFAULT-VALUE}.")
        .value(int.class, bulkPort, value -> bulkPort = value);
    list.flag("--bulk-max-size")
        .label("BYTES")
        .help("Largest upload, up to 1GiB. Default: 1GiB.")
        .size(bulkMaxBytes, value -> bulkMaxBytes = value);
    list.flag("--bulk-wait")
        .label("DURATION")
        .help(
            "After which the sender of an upload is told that it is not on the stores yet. "
                + "Default: 30s.")
        .duration(bulkWait, value -> bulkWait = value);
    listRecords(list);
  }

  private void listRecords(FlagList list) {
    list.flag("--topic")
        .label("NAME")
        .help(
            "Topic of lines whose connection names none in a first line like 'CORDWOOD/1"
                + " topic=app'. Default: ${DEFAULT-VALUE}.")
        .value(String.class, topic, value -> topic = value);
    list.flag("--open-ingest")
        .help(
            "With --tokens, take records without a token on the fast, durable and bulk ports: of"
                + " nc, of syslog, of whoever reaches them.")
        .on(value -> openIngest = value);
    list.flag("--flush-size")
        .label("BYTES")
        .help("Size at which an ingest segment is handed on, 1MiB to 1GiB. Default: 16MiB.")
        .size(flushBytes, value -> flushBytes = value);
    list.flag("--flush-age")
        .label("DURATION")
        .help("Age at which an ingest segment is handed on. Default: 1s.")
        .duration(flushAge, value -> flushAge = value);
    list.flag("--lease")
        .label("DURATION")
        .help(
            "After which a segment that a store has claimed and not committed is handed to another."
                + " Default: 60s.")
        .duration(lease, value -> lease = value);
    list.addAll(foreign);
    list.addAll(limits);
  }

  /** As the ingest tier wants them, checked. */
  IngestOptions options(Path folder, String bind, Optional<NodeTls> tls) {
    FlagBounds.port("--fast-port", 0, fastPort);
    FlagBounds.port("--durable-port", 0, durablePort);
    FlagBounds.port("--bulk-port", 0, bulkPort);
    checkAdvertised("--advertise-fast-port", advertisedFastPort);
    checkAdvertised("--advertise-durable-port", advertisedDurablePort);
    FlagBounds.size("--bulk-max-size", 1, Bulk.DEFAULT.maxBytes(), bulkMaxBytes);
    FlagBounds.duration("--commit-delay", Duration.ZERO, MAX_COMMIT_DELAY, commitDelay);
    FlagBounds.size("--flush-size", MIN_FLUSH_BYTES, MAX_FLUSH_BYTES, flushBytes);
    FlagBounds.duration("--lease", MIN_LEASE, MAX_LEASE, lease);
    if (!flushAge.isPositive()) {
      throw new CommandException(
          "--flush-age: expected more than 0, found " + Durations.exact(flushAge));
    }
    var _ = foreign.otlpPorts();
    Flushing usual = Flushing.DEFAULT;
    return limits
        .addTo(IngestOptions.in(folder))
        .with(foreign.naming(topic()))
        .with(
            new Listening(bind, fastPort, durablePort, Listening.DEFAULT.loops())
                .withTls(tls)
                .withForeign(foreign.ports()))
        .with(committing())
        .with(bulk())
        .with(new Flushing(flushBytes, flushAge, usual.afterClose(), usual.maxUnforced()))
        .withLease(lease);
  }

  private static void checkAdvertised(String flag, @Nullable Integer port) {
    if (port != null) {
      FlagBounds.port(flag, 1, port);
    }
  }

  /** The ports by which senders reach a node that listens on those. */
  SenderPorts advertised(SenderPorts listening) {
    return new SenderPorts(
        advertisedFastPort != null ? advertisedFastPort : listening.fast(),
        advertisedDurablePort != null ? advertisedDurablePort : listening.durable());
  }

  private Committing committing() {
    Committing usual = Committing.DEFAULT;
    return new Committing(commitDelay, usual.maxUnforcedBytes(), usual.retry());
  }

  private Bulk bulk() {
    Bulk usual = Bulk.DEFAULT;
    return new Bulk(
        bulkPort, bulkMaxBytes, usual.maxUploads(), bulkWait, usual.minBytes(), usual.within());
  }

  private Topic topic() {
    try {
      return new Topic(topic);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--topic: " + e.getMessage(), e);
    }
  }
}
