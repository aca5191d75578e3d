package io.cordwood.common.cluster;

import io.scalecube.cluster.transport.api.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/**
 * Connections between gossip transports in memory: frames as nodes write them, in the order of each
 * connection, with delays that are drawn. A node calls as many others at a time as real ones, and
 * is called by as many; beyond that the one last used the longest ago is closed.
 */
public final class MemoryNetwork {
  private static final long LEAST_DELAY_NANOS = 100_000;
  private static final long MORE_DELAY_NANOS = 900_000;

  /** TCP's handshake and ours. */
  private static final int ROUND_TRIPS_TO_OPEN = 2;

  private static final long NO_CONNECTION_NANOS =
      Duration.ofMillis(PeerLinks.CONNECT_TIMEOUT_MILLIS).toNanos();
  private static final long MAX_AGE_NANOS = Duration.ofSeconds(PeerLink.MAX_AGE_SECONDS).toNanos();

  private final VirtualTime time;
  private final SplittableRandom random;
  private final Map<String, MemoryTransport> transports = new HashMap<>();
  private final Set<String> cutOff = new HashSet<>();
  private final Map<MessageKind, long[]> sent = new EnumMap<>(MessageKind.class);
  private long pieces;
  private long opened;
  private long replaced;
  private long refused;
  private long longest;
  private long hash = 1;

  public MemoryNetwork(VirtualTime time, SplittableRandom random) {
    this.time = time;
    this.random = random;
  }

  /** The connections that a node opened or that were opened to it, the one last used at the end. */
  static final class Links extends LinkedHashMap<String, Links.Link> {
    private static final long serialVersionUID = 1;

    Links() {
      super(16, 0.75f, true);
    }

    /** A connection. */
    static final class Link {
      private final long openedNanos;
      private long lastNanos;

      private Link(long openedNanos) {
        this.openedNanos = openedNanos;
      }
    }
  }

  void add(MemoryTransport transport) {
    transports.put(transport.address(), transport);
  }

  /** These can reach each other, and nobody else, from now on. */
  public void cutOff(Set<String> addresses) {
    cutOff.addAll(addresses);
  }

  public void heal() {
    cutOff.clear();
  }

  void afterBundles(Runnable flush) {
    time.after(Duration.ofMillis(GossipBundles.WAIT_MILLIS).toNanos(), flush);
  }

  void send(MemoryTransport from, String address, Message message, MonoSink<Void> done) {
    var bytes = new ByteArrayOutputStream(256);
    MessageKind kind;
    try {
      from.codec().serialize(message, bytes);
      kind = MessageKind.ofQualifier(message.qualifier());
    } catch (Exception e) {
      refused++;
      done.error(e);
      return;
    }
    MemoryTransport to = transports.get(address);
    if (to == null || !reaches(from, to)) {
      var why = new IOException("no connection to " + address);
      time.after(NO_CONNECTION_NANOS, () -> done.error(why));
      return;
    }
    byte[] frame = bytes.toByteArray();
    pieces += kind == MessageKind.GOSSIP ? PeerClasses.gossips(message).size() : 0;
    count(kind, frame.length + Integer.BYTES);
    hash = (hash * 31 + from.address().hashCode()) * 31 + address.hashCode();
    hash = ((hash * 31 + kind.tag()) * 31 + frame.length) * 0x100000001B3L + time.nanos();
    time.after(arrival(from, to) - time.nanos(), () -> receive(from, to, frame));
    done.success();
  }

  private void count(MessageKind kind, int length) {
    long[] counts = sent.computeIfAbsent(kind, _ -> new long[2]);
    counts[0]++;
    counts[1] += length;
    longest = Math.max(longest, length);
  }

  private boolean reaches(MemoryTransport from, MemoryTransport to) {
    return !to.isStopped() && cutOff.contains(from.address()) == cutOff.contains(to.address());
  }

  private long delay() {
    return LEAST_DELAY_NANOS + random.nextLong(MORE_DELAY_NANOS);
  }

  private long arrival(MemoryTransport from, MemoryTransport to) {
    long now = time.nanos();
    Links.@Nullable Link link = from.called().get(to.address());
    if (link == null || now - link.openedNanos > MAX_AGE_NANOS) {
      opened++;
      link = new Links.Link(now);
      link.lastNanos = now + 2 * ROUND_TRIPS_TO_OPEN * delay();
      open(from, to, link);
    }
    to.callers().get(from.address());
    link.lastNanos = Math.max(link.lastNanos + 1, now + delay());
    return link.lastNanos;
  }

  private void open(MemoryTransport from, MemoryTransport to, Links.Link link) {
    from.called().put(to.address(), link);
    to.callers().put(from.address(), link);
    if (from.called().size() > PeerLinks.MAX_LINKS) {
      close(from, transports.get(from.called().firstEntry().getKey()));
    }
    if (to.callers().size() > GossipTransport.MAX_CONNECTIONS) {
      close(transports.get(to.callers().firstEntry().getKey()), to);
    }
  }

  private void close(@Nullable MemoryTransport from, @Nullable MemoryTransport to) {
    if (from != null && to != null) {
      replaced++;
      from.called().remove(to.address());
      to.callers().remove(from.address());
    }
  }

  private void receive(MemoryTransport from, MemoryTransport to, byte[] frame) {
    if (!reaches(from, to)) {
      return;
    }
    try {
      to.take(to.codec().deserialize(new ByteArrayInputStream(frame)));
    } catch (Exception e) {
      throw new IllegalStateException("a frame of " + from.address() + " does not read back", e);
    }
  }

  /** Frames of a kind, since the last {@link #forget}; the kinds are those of the wire. */
  public Map<String, long[]> sent() {
    Map<String, long[]> named = new LinkedHashMap<>();
    sent.forEach((kind, counts) -> named.put(kind.name(), counts.clone()));
    return named;
  }

  /** Begins to count anew. */
  public void forget() {
    sent.clear();
    pieces = 0;
    opened = 0;
    replaced = 0;
    longest = 0;
  }

  /** Pieces of news in all messages, since the last {@link #forget}. */
  public long pieces() {
    return pieces;
  }

  public long opened() {
    return opened;
  }

  public long replaced() {
    return replaced;
  }

  /** Messages that were too long for a frame, or could not be written, from the beginning. */
  public long refused() {
    return refused;
  }

  /** Bytes of the longest frame. */
  public long longest() {
    return longest;
  }

  /** Of all frames: who sent them to whom, when, which kind, how long. */
  public long hash() {
    return hash;
  }
}
