package io.cordwood.ingest;

import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.tls.NodeTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How an ingest node runs.
 *
 * @param folder where its segments are; created if missing, and locked
 */
public record IngestOptions(
    Path folder,
    Naming naming,
    Listening listening,
    Flushing flushing,
    Committing committing,
    Limits limits,
    Quotas quotas,
    Bulk bulk,
    Consuming consuming) {

  /** A group of options, which {@link #with} replaces. */
  public sealed interface Part {}

  /**
   * The topics of records that name none, and the form of foreign events.
   *
   * @param topic of lines that name none; {@code default}
   * @param labels of foreign events, the first of which that they have is their topic
   * @param keepsFields whether what came beside an event's text is kept after it
   */
  public record Naming(Topic topic, List<String> labels, boolean keepsFields) implements Part {
    public static final Naming DEFAULT =
        new Naming(
            Topic.DEFAULT,
            List.of(
                "service.name", "service_name", "service", "app", "job", "program", "index", "tag"),
            true);

    public Naming {
      labels = List.copyOf(labels);
    }
  }

  /**
   * Ports of other protocols; each is open only if it is given, 0 for any free one.
   *
   * @param syslog over TCP and UDP
   * @param fluent of Fluent Forward
   * @param gelf over TCP and UDP
   */
  public record ForeignPorts(OptionalInt syslog, OptionalInt fluent, OptionalInt gelf) {
    public static final ForeignPorts NONE =
        new ForeignPorts(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());

    public ForeignPorts withSyslog(int port) {
      return new ForeignPorts(OptionalInt.of(port), fluent, gelf);
    }

    public ForeignPorts withFluent(int port) {
      return new ForeignPorts(syslog, OptionalInt.of(port), gelf);
    }

    public ForeignPorts withGelf(int port) {
      return new ForeignPorts(syslog, fluent, OptionalInt.of(port));
    }
  }

  /**
   * The listening ports.
   *
   * @param bind address to listen on; all by default
   * @param fastPort of fast mode; 7651 by default, 0 for any free one
   * @param durablePort of durable mode; 7652 by default, 0 for any free one
   * @param loops event loops, of each port; as many as processors by default
   * @param tls of all ports; none by default
   * @param foreign none by default
   */
  public record Listening(
      String bind,
      int fastPort,
      int durablePort,
      int loops,
      Optional<NodeTls> tls,
      ForeignPorts foreign)
      implements Part {
    public static final int FAST_PORT = 7651;
    public static final int DURABLE_PORT = 7652;
    public static final Listening DEFAULT =
        new Listening(
            "0.0.0.0", FAST_PORT, DURABLE_PORT, Runtime.getRuntime().availableProcessors());

    /** Without TLS. */
    public Listening(String bind, int fastPort, int durablePort, int loops) {
      this(bind, fastPort, durablePort, loops, Optional.empty(), ForeignPorts.NONE);
    }

    /** These options, with TLS or without. */
    public Listening withTls(Optional<NodeTls> other) {
      return new Listening(bind, fastPort, durablePort, loops, other, foreign);
    }

    /** These options, with ports of other protocols. */
    public Listening withForeign(ForeignPorts other) {
      return new Listening(bind, fastPort, durablePort, loops, tls, other);
    }
  }

  /**
   * When active segments are flushed.
   *
   * @param segmentBytes size from which an active segment is flushed; 16 MiB by default
   * @param age time from its first byte after which it is flushed; 1 s by default
   * @param afterClose time after which it is flushed when a connection ended that wrote to it; 100
   *     ms by default
   * @param maxUnforced segments that may wait to be forced; reading stops beyond; 64 by default
   */
  public record Flushing(long segmentBytes, Duration age, Duration afterClose, int maxUnforced)
      implements Part {
    public static final Flushing DEFAULT =
        new Flushing(16 << 20, Duration.ofSeconds(1), Duration.ofMillis(100), 64);
  }

  /**
   * How durable mode forces.
   *
   * @param delay how long a force may wait for company; none by default: whatever arrives during a
   *     force goes with the next
   * @param maxUnforcedBytes of batches that wait to be forced, over all loops; reading stops
   *     beyond; 16 MiB by default
   * @param retry how often a disk that failed is tried again; every second by default
   */
  public record Committing(Duration delay, long maxUnforcedBytes, Duration retry) implements Part {
    public static final Committing DEFAULT =
        new Committing(Duration.ZERO, 16 << 20, Duration.ofSeconds(1));
  }

  /**
   * Bounds.
   *
   * @param maxConnections open at once; more are told so and closed; 10,000 by default
   * @param maxHeldBytes of unfinished records and batches in memory, over all connections; 64 MiB
   *     by default
   * @param reserveBytes of the disk that are left free; 64 MiB by default
   * @param maxSkew by which a sender's time may differ from this node's clock before its batches
   *     are stamped anew; 24 h by default
   * @param drain how long closing may take to read what senders had already sent; 5 s by default
   */
  public record Limits(
      int maxConnections, long maxHeldBytes, long reserveBytes, Duration maxSkew, Duration drain)
      implements Part {
    public static final Limits DEFAULT =
        new Limits(10_000, 64 << 20, 64 << 20, Duration.ofHours(24), Duration.ofSeconds(5));
  }

  /**
   * How much senders may ask of the node.
   *
   * @param maxTopics that the node takes besides the usual one until it is started anew; 1,000 by
   *     default
   * @param maxConnectionsPerAddress open at once from one address; no bound of its own by default
   * @param maxBytesPerSecond read from all senders; no bound by default
   * @param maxConnectionBytesPerSecond read from each of them; no bound by default
   */
  public record Quotas(
      int maxTopics,
      int maxConnectionsPerAddress,
      long maxBytesPerSecond,
      long maxConnectionBytesPerSecond)
      implements Part {
    public static final Quotas DEFAULT =
        new Quotas(1000, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    public Quotas withMaxTopics(int topics) {
      return new Quotas(
          topics, maxConnectionsPerAddress, maxBytesPerSecond, maxConnectionBytesPerSecond);
    }

    public Quotas withMaxConnectionsPerAddress(int connections) {
      return new Quotas(maxTopics, connections, maxBytesPerSecond, maxConnectionBytesPerSecond);
    }

    /** Bytes a second, of the node and of each connection. */
    public Quotas withRates(long node, long connection) {
      return new Quotas(maxTopics, maxConnectionsPerAddress, node, connection);
    }
  }

  /**
   * Bulk mode.
   *
   * @param port of uploads over TCP; 7653 by default, 0 for any free one
   * @param maxBytes of one upload; 1 GiB by default
   * @param maxUploads received at once, each with some MiB of memory; more wait for their turn, as
   *     long as for stores; 8 by default
   * @param longestWait for an upload to be on the stores, until its sender is told that it is not;
   *     30 s by default
   * @param minBytes that have to come in every {@code within}; 1 MiB a minute by default
   */
  public record Bulk(
      int port, long maxBytes, int maxUploads, Duration longestWait, long minBytes, Duration within)
      implements Part {
    public static final int PORT = 7653;
    public static final Bulk DEFAULT =
        new Bulk(PORT, 1 << 30, 8, Duration.ofSeconds(30), 1 << 20, Duration.ofMinutes(1));

    public Bulk withPort(int other) {
      return new Bulk(other, maxBytes, maxUploads, longestWait, minBytes, within);
    }
  }

  /**
   * How long stores may take.
   *
   * @param lease time after which a claimed segment that was not committed is flushed again; a
   *     minute by default
   * @param handOver how long a node that ends waits for stores to consume what it holds, if any are
   *     there; 2 s by default
   */
  public record Consuming(Duration lease, Duration handOver) implements Part {
    public static final Consuming DEFAULT =
        new Consuming(ApiHeaders.USUAL_LEASE, Duration.ofSeconds(2));
  }

  /** The defaults, with segments in a folder. */
  public static IngestOptions in(Path folder) {
    return new IngestOptions(
        folder,
        Naming.DEFAULT,
        Listening.DEFAULT,
        Flushing.DEFAULT,
        Committing.DEFAULT,
        Limits.DEFAULT,
        Quotas.DEFAULT,
        Bulk.DEFAULT,
        Consuming.DEFAULT);
  }

  /** The topic of lines that name none. */
  public Topic topic() {
    return naming.topic();
  }

  /** These options, but for one part of them. */
  public IngestOptions with(Part part) {
    return new IngestOptions(
        folder,
        part instanceof Naming it ? it : naming,
        part instanceof Listening it ? it : listening,
        part instanceof Flushing it ? it : flushing,
        part instanceof Committing it ? it : committing,
        part instanceof Limits it ? it : limits,
        part instanceof Quotas it ? it : quotas,
        part instanceof Bulk it ? it : bulk,
        part instanceof Consuming it ? it : consuming);
  }

  public IngestOptions withLease(Duration other) {
    return with(new Consuming(other, consuming.handOver));
  }

  public IngestOptions withHandOver(Duration other) {
    return with(new Consuming(consuming.lease, other));
  }
}
