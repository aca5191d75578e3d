package io.cordwood.jmh.load;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends a file's lines as an agent of a cluster would that has the files of many pods: a batch of
 * each pod in turn, on one connection, until all is acknowledged.
 *
 * <pre>
 *   --port PORT --file FILE [--pods 1000] [--topics 20] [--labels yes] [--batch 16K] [--trickle 0s]
 * </pre>
 *
 * With {@code --trickle} each pod sends one line a second for that time, and not the whole file.
 * Prints how many records it has sent.
 */
public final class PodSenders {
  private final ByteBuffer lines;
  private final SocketChannel channel;
  private final List<Origin> pods = new ArrayList<>();
  private final UlidStamper stamper = new UlidStamper(InstantSource.system());
  private long sent;

  private PodSenders(ByteBuffer lines, SocketChannel channel) {
    this.lines = lines;
    this.channel = channel;
  }

  /** Sends. */
  public static void main(String[] args) {
    try {
      Flags flags =
          Flags.parse(args, "port", "file", "pods", "topics", "labels", "batch", "trickle");
      var node = new InetSocketAddress(InetAddress.getLoopbackAddress(), flags.port("port"));
      try (var file = FileChannel.open(flags.path("file"));
          var channel = SocketChannel.open(node)) {
        ByteBuffer lines = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
        if (file.size() == 0 || lines.get(lines.limit() - 1) != '\n') {
          throw new IllegalArgumentException(
              flags.path("file") + ": expected lines, the last one ended by a line feed");
        }
        var senders = new PodSenders(lines, channel);
        boolean labelled = flags.text("labels", "yes").equals("yes");
        senders.addPods(flags.number("pods", 1000), flags.number("topics", 20), labelled);
        senders.run(flags.bytes("batch", "16K"), flags.duration("trickle", "0s").toSeconds());
        System.out.println(senders.sent);
      }
    } catch (IllegalArgumentException | IOException | InterruptedException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(1);
    }
  }

  private void addPods(int count, int topics, boolean labelled) {
    for (int i = 0; i < count; i++) {
      String service = "service-" + i % topics;
      pods.add(new Origin(service, labelled ? labels(i, service) : Labels.NONE));
    }
  }

  /** Twelve, of some 250 bytes in all, as an agent in Kubernetes gives them. */
  private static Labels labels(int pod, String service) {
    var pairs = new TreeMap<String, String>();
    pairs.put("app", service);
    pairs.put("cluster", "eu-1");
    pairs.put("component", "web");
    pairs.put("container", "main");
    pairs.put("host", "10-0-3-" + pod % 50);
    pairs.put("image", service + ":1.17." + pod % 3);
    pairs.put("namespace", "shop");
    pairs.put("pod", name(pod, service));
    pairs.put("release", "stable");
    pairs.put("stream", "stdout");
    pairs.put("team", "team-" + pod % 7);
    pairs.put("zone", "eu-1" + "abc".charAt(pod % 3));
    return Labels.of(Map.copyOf(pairs));
  }

  /** Such as {@code service-7-6d9c8b7f4d-1a2b3}. */
  private static String name(int pod, String service) {
    int hash = Integer.reverse(pod * 0x9E3779B1);
    return "%s-%08x-%05x".formatted(service, service.hashCode(), hash & 0xFFFFF);
  }

  private void run(int batchBytes, long trickleSeconds) throws IOException, InterruptedException {
    CompletableFuture<Void> acknowledged = new CompletableFuture<>();
    Thread.ofPlatform().daemon().name("acks").start(() -> readAcks(acknowledged));
    if (trickleSeconds > 0) {
      trickle(trickleSeconds);
    } else {
      for (int pod = 0; lines.hasRemaining(); pod++) {
        send(pods.get(pod % pods.size()), batchBytes);
      }
    }
    channel.shutdownOutput();
    acknowledged.join();
  }

  private void trickle(long seconds) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long pause = TimeUnit.SECONDS.toNanos(1) / pods.size();
    for (long i = 0; i < seconds * pods.size() && lines.hasRemaining(); i++) {
      TimeUnit.NANOSECONDS.sleep(start + i * pause - System.nanoTime());
      send(pods.get((int) (i % pods.size())), 1);
    }
  }

  /** Sends the next lines, of at least that many bytes. */
  private void send(Origin pod, int bytes) throws IOException {
    int from = lines.position();
    int end = Math.min(from + bytes, lines.limit());
    while (end < lines.limit() && lines.get(end - 1) != '\n') {
      end++;
    }
    ByteBuffer payload = lines.slice(from, end - from);
    lines.position(end);
    int records = Delimiter.LF.countIn(payload);
    if (records == 0) {
      return;
    }
    ByteBuffer head = Batch.head(pod, Delimiter.LF, stamper.stamp(records), records, payload);
    ByteBuffer[] whole = {head, payload};
    while (payload.hasRemaining()) {
      channel.write(whole);
    }
    sent += records;
  }

  private void readAcks(CompletableFuture<Void> acknowledged) {
    try {
      var acks = new Acks();
      var buffer = ByteBuffer.allocate(64 << 10);
      long known = 0;
      while (channel.read(buffer.clear()) >= 0) {
        known = acks.read(buffer.flip());
      }
      if (known != sent) {
        throw new IOException("expected ack " + sent + " at the end, found ack " + known);
      }
      acknowledged.complete(null);
    } catch (IOException e) {
      acknowledged.completeExceptionally(new UncheckedIOException(e));
    }
  }
}
