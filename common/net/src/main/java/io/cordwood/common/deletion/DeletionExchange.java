package io.cordwood.common.deletion;

import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** How a node's deletions and another's become the same. */
public record DeletionExchange(Deletions deletions, PeerClient client) {
  private static final Duration RESPONSE_TIME = Duration.ofSeconds(10);

  /**
   * Learns all that another node knows. When this returns, it is on the disk.
   *
   * @throws IOException if it cannot be asked, or what it knows is not taken
   */
  public void fetch(URI node) throws IOException {
    try (PeerResponse response =
        client.get(node.resolve(ApiPaths.DELETIONS_KNOWN), RESPONSE_TIME)) {
      check(response);
      var text = new ByteArrayOutputStream();
      response.transferTo(Channels.newChannel(text), TombstoneText.MAX_BYTES);
      deletions.learn(text.toString(StandardCharsets.ISO_8859_1));
    }
  }

  /**
   * Tells another node all that this one knows. When this returns, it is on that one's disk.
   *
   * @throws IOException if that is not certain
   */
  public void tell(URI node) throws IOException {
    byte[] text = deletions.text().getBytes(StandardCharsets.ISO_8859_1);
    URI known = node.resolve(ApiPaths.DELETIONS_KNOWN);
    try (PeerResponse response =
        client.post(known, List.of(text).iterator(), text.length, () -> true, RESPONSE_TIME)) {
      check(response);
    }
  }

  /**
   * Makes both know what either does.
   *
   * @throws IOException if that is not certain
   */
  public void with(URI node) throws IOException {
    fetch(node);
    tell(node);
  }

  private static void check(PeerResponse response) throws IOException {
    if (response.status() != 200) {
      throw new IOException("deletions: %d %s".formatted(response.status(), response.error()));
    }
  }
}
