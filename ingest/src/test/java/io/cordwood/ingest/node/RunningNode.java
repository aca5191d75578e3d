package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.PassThroughFilesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.Records;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchScanner;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.segment.Claimant;
import io.cordwood.ingest.segment.IngestLog;
import io.cordwood.ingest.segment.PendingSegment;
import io.cordwood.ingest.segment.SegmentRefusedException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An ingest node on a free port, for tests: its senders, and what a store would get from it. */
public final class RunningNode implements AutoCloseable {
  public static final Duration PATIENCE = Patience.LONG;

  public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  public final IngestNode node;
  final IngestOptions options;

  public RunningNode(IngestOptions options, Filesystem files) throws IOException {
    this(options, files, _ -> Admission.OPEN);
  }

  /** Makes what says who may send. */
  @FunctionalInterface
  public interface Admitting {
    Admission admission(SimpleMeterRegistry registry) throws IOException;
  }

  public RunningNode(IngestOptions options, Filesystem files, Admitting admitting)
      throws IOException {
    this.options = options;
    this.node =
        IngestNode.start(
            options, admitting.admission(registry), files, registry, InstantSource.system());
    node.startTaking();
  }

  public RunningNode(IngestOptions options) throws IOException {
    this(options, new PassThroughFilesystem());
  }

  /** Options for tests: a free port, segments that are flushed soon. */
  public static IngestOptions options(Path folder) {
    return IngestOptions.in(folder)
        .withHandOver(Duration.ZERO)
        .withLease(Duration.ofHours(1))
        .with(new IngestOptions.Listening("127.0.0.1", 0, 0, 2))
        .with(
            new IngestOptions.Flushing(16 << 20, Duration.ofMillis(200), Duration.ofMillis(5), 64))
        .with(
            new IngestOptions.Limits(
                2000, 64 << 20, 1 << 20, Duration.ofHours(24), Duration.ofSeconds(2)))
        .with(new IngestOptions.Bulk(0, 64 << 20, 4, PATIENCE, 1 << 10, PATIENCE));
  }

  /** For tests of a node that ends: it reads what senders have sent, however slow it is. */
  public static IngestOptions patient(IngestOptions options) {
    IngestOptions.Limits limits = options.limits();
    return options.with(
        new IngestOptions.Limits(
            limits.maxConnections(),
            limits.maxHeldBytes(),
            limits.reserveBytes(),
            limits.maxSkew(),
            PATIENCE));
  }

  public static RunningNode in(Path folder) throws IOException {
    return new RunningNode(options(folder));
  }

  public Socket connect() throws IOException {
    return connect(node.fastPort());
  }

  public Socket connectDurable() throws IOException {
    return connect(node.durablePort());
  }

  /** The port of another protocol that was asked for. */
  public int foreignPort(String protocol) {
    return Objects.requireNonNull(node.foreignPorts().get(protocol));
  }

  private static Socket connect(int port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  /** Sends all at once, ends the connection, and waits until the node has closed it too. */
  public String send(byte[] bytes) throws IOException {
    return send(connect(), bytes);
  }

  public String sendDurable(byte[] bytes) throws IOException {
    return send(connectDurable(), bytes);
  }

  private static String send(Socket connected, byte[] bytes) throws IOException {
    try (Socket socket = connected) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  public String send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  public IngestLog log() {
    return node.segments();
  }

  /** Claims the oldest flushed segment. */
  public Optional<PendingSegment> claim(Duration longestWait) throws IOException {
    return log()
        .claims()
        .claim(new Claimant("store", true), 1, Long.MAX_VALUE, longestWait, () -> false)
        .stream()
        .findFirst();
  }

  /** Claims, reads and commits segments until so many records came; more if the last has more. */
  public List<Batch> consume(long records) throws IOException {
    List<Batch> batches = new ArrayList<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (count(batches) < records) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(
            "expected " + records + " records, found " + count(batches) + " in time");
      }
      var claimed = twice(() -> claim(Duration.ofMillis(100)));
      if (claimed.isPresent()) {
        batches.addAll(readAndCommit(claimed.get().id()));
      }
    }
    return batches;
  }

  /** The same with all segments that wait. */
  public List<Batch> consumeWaiting() throws IOException {
    List<Batch> batches = new ArrayList<>();
    while (log().claims().waiting() > 0) {
      var claimed = twice(() -> claim(Duration.ZERO));
      batches.addAll(readAndCommit(claimed.orElseThrow().id()));
    }
    return batches;
  }

  private List<Batch> readAndCommit(Ulid id) throws IOException {
    List<Batch> batches = twice(() -> read(id));
    return twice(() -> {
      log().claims().commit(id);
      return batches;
    });
  }

  private List<Batch> read(Ulid id) throws IOException, SegmentRefusedException {
    try (ReadableFile file = log().claims().read(id)) {
      return batches(file);
    }
  }

  /** As a store would: one error of the disk is no reason to give up. */
  private static <T> T twice(Step<T> step) throws IOException {
    try {
      try {
        return step.run();
      } catch (IOException e) {
        return step.run();
      }
    } catch (SegmentRefusedException e) {
      throw new AssertionError(e);
    }
  }

  private interface Step<T> {
    T run() throws IOException, SegmentRefusedException;
  }

  /** All batches of a segment file; damage is an error. */
  public static List<Batch> batches(ReadableFile file) throws IOException {
    List<Batch> batches = new ArrayList<>();
    BatchScanner scanner = IngestSegmentHeader.scan(file);
    while (true) {
      switch (scanner.next()) {
        case BatchScanner.Intact intact -> batches.add(Records.copy(Batch.of(intact)));
        case BatchScanner.Damage damage -> throw new AssertionError(damage.reason());
        case BatchScanner.End _ -> {
          return batches;
        }
      }
    }
  }

  public static long count(List<Batch> batches) {
    return batches.stream().mapToLong(Batch::records).sum();
  }

  /** The payloads of batches, one after the other. */
  public static byte[] bytes(List<Batch> batches) {
    var all = new ByteArrayOutputStream();
    for (Batch batch : batches) {
      ByteBuffer payload = batch.payload().duplicate();
      byte[] part = new byte[payload.remaining()];
      payload.get(part);
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** Sends lines in fast mode; these records, and no others, are stored. */
  public void assertStoredAs(String sent, String stored, int records) throws IOException {
    assertThat(send(sent)).isEmpty();
    List<Batch> batches = consume(records);
    assertThat(text(batches)).isEqualTo(stored);
    assertThat(count(batches)).isEqualTo(records);
  }

  /** The payloads of batches as text. */
  public static String text(List<Batch> batches) {
    return new String(bytes(batches), StandardCharsets.UTF_8);
  }

  /** A counter's value, over all its labels. */
  public long counted(String name, String... tags) {
    return (long)
        registry.find("cordwood_ingest_" + name + "_total").tags(tags).counters().stream()
            .mapToDouble(Counter::count)
            .sum();
  }

  /** Waits until it has read so many bytes, and no more; often, as for each byte. */
  public void awaitRead(long bytes) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> counted("bytes_read") == bytes);
  }

  /** What was received is stored or rejected, once no connection is open any more. */
  public void assertLedgerIsExact() {
    await().pollDelay(Duration.ZERO).untilAsserted(this::ledgerIsExact);
  }

  private void ledgerIsExact() {
    assertThat(registry.get("cordwood_ingest_connections").gauge().value()).isZero();
    assertThat(counted("bytes_received")).as("bytes").isEqualTo(counted("bytes_read"));
    for (String topic : topics()) {
      for (String what : List.of("records", "bytes")) {
        long stored = counted(what + "_stored", "topic", topic);
        long rejected = counted(what + "_rejected", "topic", topic);
        assertThat(counted(what + "_received", "topic", topic))
            .as("%s of %s: %d stored and %d rejected", what, topic, stored, rejected)
            .isEqualTo(stored + rejected);
      }
    }
    assertThat(registry.get("cordwood_ingest_held_bytes").gauge().value()).isZero();
  }

  /** The topics that the ledger has accounts of, and the one of what has none. */
  public Set<String> topics() {
    return registry.find("cordwood_ingest_bytes_received_total").counters().stream()
        .map(counter -> String.valueOf(counter.getId().getTag("topic")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * What another process would find if this one ended now; names that move on meanwhile are looked
   * for again.
   */
  public void copyFilesTo(Path target) throws IOException {
    Files.createDirectories(target);
    Set<String> copied = new HashSet<>();
    boolean moved = true;
    while (moved) {
      moved = false;
      for (String name : files()) {
        String id = name.replaceFirst("\\..*", "");
        try {
          if (!copied.contains(id)) {
            Files.copy(options.folder().resolve(name), target.resolve(name));
            copied.add(id);
          }
        } catch (NoSuchFileException e) {
          moved = true;
        }
      }
    }
  }

  /** The names in the data folder, without the lock. */
  public List<String> files() throws IOException {
    return Filesystem.real().list(options.folder()).stream()
        .map(file -> file.getFileName().toString())
        .filter(name -> !name.equals("LOCK"))
        .toList();
  }

  /** Ends the node; whatever the test did to it, the ledger is exact then. */
  @Override
  public void close() throws IOException {
    node.close();
    assertLedgerIsExact();
  }
}
