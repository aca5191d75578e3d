package io.cordwood.store;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.PeerClient;
import io.cordwood.common.http.PeerResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * What a store asks of ingest nodes. Calls block. Safe for all threads.
 *
 * <p>Pulling can be ended before settling, so that a store which closes waits for no slow node and
 * still gives back what it had claimed.
 */
final class IngestClient implements AutoCloseable {
  /** Largest ingest segment that is pulled: an upload of 1 GiB, and the headers of its batches. */
  static final long MAX_SEGMENT_BYTES = (1L << 30) + (16L << 20);

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_ANSWER_BYTES = 256;

  private final PeerClient pulling = new PeerClient(TIMEOUT, TIMEOUT);
  private final PeerClient settling = new PeerClient(TIMEOUT, TIMEOUT);

  /** What became of a commit. */
  enum Committed {
    DONE,
    /** The ingest node does not know of this lease any more; another store may have the segment. */
    TOO_LATE
  }

  /** Claims a segment, waiting for one at the ingest node; empty if there is none by then. */
  Optional<Claim> claim(URI node, Duration wait) throws IOException {
    URI uri = uri(node, ApiPaths.INGEST_CLAIM, ApiParams.WAIT, wait.toMillis() + "ms");
    try (PeerResponse response = pulling.post(uri, wait.plus(TIMEOUT))) {
      return switch (response.status()) {
        case 200 -> Optional.of(parse(node, response));
        case 204 -> Optional.empty();
        default -> throw unexpected(uri, response);
      };
    }
  }

  private static Claim parse(URI node, PeerResponse response) throws IOException {
    byte[] answer = response.body().readNBytes(MAX_ANSWER_BYTES);
    String text = new String(answer, StandardCharsets.ISO_8859_1);
    return Claim.parse(node, text, System.nanoTime())
        .orElseThrow(() ->
            new IOException(
                "%s: expected \"ID BYTES\" for a claim, found \"%s\""
                    .formatted(node, text.replaceAll("\\p{Cntrl}", "?"))));
  }

  /**
   * Writes a claimed segment's bytes to a channel.
   *
   * @throws IOException also if they are not as many as the claim says
   */
  void read(Claim claim, WritableByteChannel target) throws IOException {
    URI uri = uri(claim, ApiPaths.INGEST_READ);
    long found = pulling.download(uri, target, claim.bytes(), TIMEOUT);
    if (found != claim.bytes()) {
      throw new IOException("%s: expected %d bytes, found %d".formatted(uri, claim.bytes(), found));
    }
  }

  /** Tells that a segment is durable here and may go there. */
  Committed commit(Claim claim) throws IOException {
    URI uri = uri(claim, ApiPaths.INGEST_COMMIT);
    try (PeerResponse response = settling.post(uri, TIMEOUT)) {
      return switch (response.status()) {
        case 200, 204 -> Committed.DONE;
        case 404, 409 -> Committed.TOO_LATE;
        default -> throw unexpected(uri, response);
      };
    }
  }

  /** Gives a segment back. */
  void fail(Claim claim) throws IOException {
    URI uri = uri(claim, ApiPaths.INGEST_FAIL);
    try (PeerResponse response = settling.post(uri, TIMEOUT)) {
      if (!response.ok() && response.status() != 404 && response.status() != 409) {
        throw unexpected(uri, response);
      }
    }
  }

  private static URI uri(Claim claim, String path) {
    return uri(claim.node(), path, ApiParams.ID, claim.id().toString());
  }

  private static URI uri(URI node, String path, String name, String value) {
    return node.resolve(path + "?" + name + "=" + value);
  }

  private static IOException unexpected(URI uri, PeerResponse response) throws IOException {
    return new IOException(uri + ": " + response.status() + " " + response.error());
  }

  /** Breaks off claims and reads that run. */
  void stopPulling() {
    pulling.close();
  }

  @Override
  public void close() {
    pulling.close();
    settling.close();
  }
}
