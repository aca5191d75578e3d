package io.cordwood.store.claim;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.http.ApiHeaders;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The calls of a store to ingest nodes. They block. Safe for all threads.
 *
 * <p>Pulling can be ended before settling, so that a closing store does not wait for a slow node
 * and still gives back its claims.
 */
public final class IngestClient implements AutoCloseable {
  /** Largest ingest segment that is pulled: an upload of 1 GiB, and the headers of its batches. */
  public static final long MAX_SEGMENT_BYTES = (1L << 30) + (16L << 20);

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Most segments in one claim. */
  private static final int MAX_CLAIMED = 32;

  private static final int MAX_ANSWER_BYTES = 16 << 10;

  private final PeerClient pulling;
  private final PeerClient settling;
  private final KnownPeers peers;
  private final int copies;

  /** A client in a cluster without a key. */
  IngestClient() {
    this(KnownPeers.onlyIngestNodes(List::of), 0);
  }

  /**
   * @param peers of this store
   * @param copies on other stores that each segment needs
   */
  public IngestClient(KnownPeers peers, int copies) {
    this.peers = peers;
    this.copies = copies;
    this.pulling = PeerClient.forBulk(TIMEOUT, TIMEOUT, peers.credentials());
    this.settling = new PeerClient(TIMEOUT, TIMEOUT, peers.credentials());
  }

  /**
   * Whether enough stores know labels: as long as they do not, what has labels waits at its ingest
   * node, and does not keep what has none from being stored.
   */
  private boolean takesLabels() {
    return copies == 0
        || peers.otherStores().stream().filter(StorePeer::readsLabels).count() >= copies;
  }

  /**
   * Claims segments, waiting for one at the ingest node; none if there is none by then.
   *
   * @param maxBytes of all of them; the first may have more
   */
  List<Claim> claim(URI node, Duration wait, long maxBytes) throws IOException {
    String query =
        "%s=%s&%s=%dms&%s=%d&%s=%d&%s=%s"
            .formatted(
                ApiParams.NODE,
                URLEncoder.encode(peers.nodeId(), StandardCharsets.UTF_8),
                ApiParams.WAIT,
                wait.toMillis(),
                ApiParams.MAX,
                MAX_CLAIMED,
                ApiParams.MAX_BYTES,
                maxBytes,
                ApiParams.LABELS,
                takesLabels());
    URI uri = uri(node, ApiPaths.INGEST_CLAIM, query);
    try (PeerResponse response = pulling.post(uri, wait.plus(TIMEOUT))) {
      return switch (response.status()) {
        case 200 -> parse(node, response);
        case 204 -> List.of();
        default -> throw unexpected(uri, response);
      };
    }
  }

  private static List<Claim> parse(URI node, PeerResponse response) throws IOException {
    long now = System.nanoTime();
    Duration lease = lease(response);
    List<Claim> claims = new ArrayList<>();
    for (String line : lines(response)) {
      claims.add(
          Claim.parse(node, line, now, lease)
              .orElseThrow(() ->
                  new IOException(
                      "%s: expected \"ID BYTES\" for a claim, found \"%s\""
                          .formatted(node, line.replaceAll("\\p{Cntrl}", "?")))));
    }
    return claims;
  }

  private static Duration lease(PeerResponse response) {
    OptionalLong millis = response.longHeader(ApiHeaders.LEASE_MILLIS);
    return millis.isPresent() ? Duration.ofMillis(millis.getAsLong()) : ApiHeaders.USUAL_LEASE;
  }

  private static List<String> lines(PeerResponse response) throws IOException {
    byte[] answer = response.body().readNBytes(MAX_ANSWER_BYTES);
    return new String(answer, StandardCharsets.ISO_8859_1).lines().toList();
  }

  /**
   * Asks for a claimed segment; the caller reads its bytes, which should be as many as the claim
   * says, and closes the answer.
   */
  public PeerResponse read(Claim claim) throws IOException {
    URI uri = uri(claim, ApiPaths.INGEST_READ);
    PeerResponse response = pulling.get(uri, TIMEOUT);
    if (response.status() == 200) {
      return response;
    }
    try (response) {
      throw unexpected(uri, response);
    }
  }

  /**
   * Opens a claimed segment of the node that this store is part of; the caller closes it.
   *
   * @return empty if it is another node's, so that its bytes have to be read from there
   * @throws IOException also if they are not as many as the claim says
   */
  public Optional<ReadableFile> openOwn(Claim claim) throws IOException {
    Optional<ReadableFile> own = peers.ownSegments().open(claim.node(), claim.id());
    if (own.isPresent()) {
      try {
        checkBytes(claim, own.get().size());
      } catch (IOException e) {
        own.get().close();
        throw e;
      }
    }
    return own;
  }

  private static void checkBytes(Claim claim, long found) throws IOException {
    if (found != claim.bytes()) {
      throw new IOException(
          "%s: expected %d bytes, found %d".formatted(claim.id(), claim.bytes(), found));
    }
  }

  /**
   * Tells a node that segments of it are durable on as many stores as need be, and may go there.
   *
   * @return how many it did not know to be claimed any more; another store may have them
   */
  int commit(URI node, List<Claim> claims) throws IOException {
    return settle(node, ApiPaths.INGEST_COMMIT, claims, "", " committed");
  }

  /**
   * Gives segments of a node back.
   *
   * @param unstorable whether each of them is one that this store cannot store, by itself alone
   */
  void fail(URI node, List<Claim> claims, boolean unstorable) throws IOException {
    String why = unstorable ? "&" + ApiParams.UNSTORABLE + "=true" : "";
    int _ = settle(node, ApiPaths.INGEST_FAIL, claims, why, " flushed");
  }

  private int settle(URI node, String path, List<Claim> claims, String more, String done)
      throws IOException {
    String query =
        claims.stream()
            .map(claim -> ApiParams.ID + "=" + claim.id())
            .collect(Collectors.joining("&", "", more));
    URI uri = uri(node, path, query);
    try (PeerResponse response = settling.post(uri, TIMEOUT)) {
      return switch (response.status()) {
        case 200, 204 -> 0;
        case 404 -> claims.size();
        case 409 ->
            claims.size() - (int) lines(response).stream().filter(l -> l.endsWith(done)).count();
        default -> throw unexpected(uri, response);
      };
    }
  }

  private static URI uri(Claim claim, String path) {
    return uri(claim.node(), path, ApiParams.ID + "=" + claim.id());
  }

  private static URI uri(URI node, String path, String query) {
    return node.resolve(path + "?" + query);
  }

  private static IOException unexpected(URI uri, PeerResponse response) throws IOException {
    return new IOException(uri + ": " + response.status() + " " + response.error());
  }

  /** Breaks off claims and reads that run. */
  public void stopPulling() {
    pulling.close();
  }

  @Override
  public void close() {
    pulling.close();
    settling.close();
  }
}
