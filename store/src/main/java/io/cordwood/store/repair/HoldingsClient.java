package io.cordwood.store.repair;

import io.cordwood.common.file.WritableFile;
import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
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
import org.jspecify.annotations.Nullable;

/** Asks other stores what they hold, and for some of it. Calls block. Safe for all threads. */
final class HoldingsClient implements Holdings, AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long MAX_FETCHED_FILE_BYTES = 2 * HoldingsRoutes.MAX_FETCH_BYTES;

  private final PeerClient client;

  /** A client in a cluster without a key. */
  HoldingsClient() {
    this(PeerCredentials.NONE);
  }

  HoldingsClient(PeerCredentials credentials) {
    this.client = PeerClient.forBulk(TIMEOUT, TIMEOUT, credentials);
  }

  @Override
  public SliceTable slices(StorePeer peer) throws IOException {
    URI uri =
        peer.uri().resolve(ApiPaths.STORE_SLICES + "?" + ApiParams.TO_NODE + "=" + peer.nodeId());
    try (PeerResponse response = ask(uri);
        var reader = new InputStreamReader(response.body(), StandardCharsets.US_ASCII)) {
      boolean copies = !ApiHeaders.NO_COPIES.equals(response.header(ApiHeaders.COPIES));
      return SliceTable.parse(new BufferedReader(reader), copies);
    } catch (IOException e) {
      throw new IOException(peer + ": " + e.getMessage(), e);
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
