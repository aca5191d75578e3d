package io.cordwood.store.repair;

import io.cordwood.common.file.WritableFile;
import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.KnownParts;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.run.Threads;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BatchListReader;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StorePeer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Asks other stores what they hold, and for some of it. Calls block. Safe for all threads. */
final class HoldingsClient implements Holdings, AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long MAX_FETCHED_FILE_BYTES = 2 * HoldingsRoutes.MAX_FETCH_BYTES;

  /** Stores that are asked for their slices at once. */
  static final int MAX_ASKED = 16;

  private final PeerClient client;
  private final KnownTables tables = new KnownTables();

  /** A client in a cluster without a key. */
  HoldingsClient() {
    this(PeerCredentials.NONE);
  }

  HoldingsClient(PeerCredentials credentials) {
    this.client = PeerClient.forBulk(TIMEOUT, TIMEOUT, credentials);
  }

  /** {@value #MAX_ASKED} stores at once, so that a slow one does not hold up the others. */
  @Override
  public Map<StorePeer, SliceTable> slices(
      List<StorePeer> peers, BiConsumer<StorePeer, IOException> failed) {
    tables.retain(peers);
    Map<StorePeer, SliceTable> told = new ConcurrentHashMap<>();
    Map<StorePeer, IOException> failures = new ConcurrentHashMap<>();
    var next = new ConcurrentLinkedQueue<>(peers);
    List<Thread> asking = new ArrayList<>();
    for (int i = 0; i < Math.min(MAX_ASKED, peers.size()); i++) {
      asking.add(Thread.ofVirtual().name("store-slices").start(() -> ask(next, told, failures)));
    }
    asking.forEach(Threads::join);
    failures.forEach(failed);
    Map<StorePeer, SliceTable> inOrder = new LinkedHashMap<>();
    for (StorePeer peer : peers) {
      SliceTable table = told.get(peer);
      if (table != null) {
        inOrder.put(peer, table);
      }
    }
    return inOrder;
  }

  private void ask(
      Queue<StorePeer> next,
      Map<StorePeer, SliceTable> told,
      Map<StorePeer, IOException> failures) {
    for (StorePeer peer = next.poll(); peer != null; peer = next.poll()) {
      try {
        StorePeer asked = peer;
        told.put(peer, tables.get(peer, (table, parts) -> askForSlices(asked, table, parts)));
      } catch (IOException | RuntimeException e) {
        failures.put(peer, new IOException(peer + ": " + e.getMessage(), e));
      }
    }
  }

  private SliceTable askForSlices(
      StorePeer peer, @Nullable SliceTable before, Optional<KnownParts> parts) throws IOException {
    String path = ApiPaths.STORE_SLICES + "?" + ApiParams.TO_NODE + "=" + peer.nodeId();
    String known = parts.map(it -> "&" + ApiParams.KNOWN + "=" + it).orElse("");
    try (PeerResponse response = ask(peer.uri().resolve(path + known));
        var reader = new InputStreamReader(response.body(), StandardCharsets.US_ASCII)) {
      boolean copies = !ApiHeaders.NO_COPIES.equals(response.header(ApiHeaders.COPIES));
      return SliceTableText.parse(new BufferedReader(reader), copies, before);
    }
  }

  @Override
  public Listing batches(StorePeer peer, UlidRange range) throws IOException {
    return new ArrivingList(peer, ask(uri(peer, ApiPaths.STORE_BATCHES, range)));
  }

  private PeerResponse ask(URI uri) throws IOException {
    PeerResponse response = client.get(uri, TIMEOUT);
    if (response.status() != 200) {
      try (response) {
        throw new IOException(uri + ": " + response.status() + " " + response.error());
      }
    }
    return response;
  }

  private static URI uri(StorePeer peer, String path, UlidRange range) {
    return peer.uri()
        .resolve(
            "%s?%s=%s&%s=%s&%s=%s&%s=true"
                .formatted(
                    path,
                    ApiParams.TO_NODE,
                    peer.nodeId(),
                    ApiParams.FROM_ULID,
                    range.from(),
                    ApiParams.TO_ULID,
                    range.to(),
                    ApiParams.LABELS));
  }

  /**
   * Writes a store segment of the batches of a topic that a store holds in a range to a file; false
   * if it holds none.
   */
  boolean fetch(StorePeer peer, Topic topic, UlidRange range, WritableFile target)
      throws IOException {
    URI plain = uri(peer, ApiPaths.STORE_FETCH, range);
    URI uri = URI.create(plain + "&" + ApiParams.TOPIC + "=" + topic);
    try (PeerResponse response = client.get(uri, TIMEOUT)) {
      if (response.status() == 204) {
        return false;
      }
      if (response.status() != 200) {
        throw new IOException(uri + ": " + response.status() + " " + response.error());
      }
      return response.transferTo(target, MAX_FETCHED_FILE_BYTES) > 0;
    }
  }

  /** A list of batches that comes in while it is read. One thread. */
  private static final class ArrivingList implements Listing {
    private final StorePeer peer;
    private final PeerResponse response;
    private final BatchListReader reader;

    private ArrivingList(StorePeer peer, PeerResponse response) {
      this.peer = peer;
      this.response = response;
      this.reader = new BatchListReader(response.body());
    }

    @Override
    public @Nullable BatchInfo next() throws IOException {
      try {
        return reader.next();
      } catch (IOException e) {
        throw new IOException(peer + ": " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      response.close();
    }
  }

  /** Breaks off the calls that run. */
  @Override
  public void close() {
    client.close();
  }
}
