package io.cordwood.store.replicate;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.segment.SegmentWithoutBatches;
import io.cordwood.store.KnownPeers;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StorePeer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Sends segments to other stores. Calls block. Safe for all threads.
 *
 * <p>A peer is given up when it has neither taken bytes nor answered for a while, as one that is
 * paused or cut off. What it has then is unknown: perhaps a replica, which does no harm.
 */
public final class ReplicaClient implements Replicas, AutoCloseable {
  /** How long a peer may make no progress, also while it forces at the end. */
  static final Duration STALL = Duration.ofSeconds(10);

  /** That time while this store stops. */
  private static final Duration STALL_AT_END = Duration.ofSeconds(2);

  private static final int MAX_ANSWER_BYTES = 256;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  private final PeerClient client;
  private final String nodeId;
  private final Filesystem filesystem;
  private final Duration stall;
  private final StopFlag stop;

  /**
   * @param nodeId of this store
   * @param stall after which a peer that neither takes bytes nor answers is given up
   */
  ReplicaClient(String nodeId, Filesystem filesystem, Duration stall, StopFlag stop) {
    this(nodeId, filesystem, stall, stop, PeerCredentials.NONE);
  }

  /** One for a store's peers that gives up on them after a while. */
  public static ReplicaClient of(KnownPeers peers, Filesystem filesystem, StopFlag stop) {
    return new ReplicaClient(peers.nodeId(), filesystem, STALL, stop, peers.credentials());
  }

  /**
   * One in a cluster with a key.
   *
   * @param credentials by which this store shows that it is of the cluster
   */
  private ReplicaClient(
      String nodeId,
      Filesystem filesystem,
      Duration stall,
      StopFlag stop,
      PeerCredentials credentials) {
    this.nodeId = nodeId;
    this.filesystem = filesystem;
    this.stall = stall;
    this.stop = stop;
    this.client = PeerClient.forBulk(CONNECT_TIMEOUT, stall, credentials);
  }

  @Override
  public void send(StorePeer peer, Path file, Duration longest) throws IOException {
    URI uri =
        peer.uri()
            .resolve(
                "%s?%s=%s&%s=%s"
                    .formatted(
                        ApiPaths.STORE_REPLICATE,
                        ApiParams.NODE,
                        nodeId,
                        ApiParams.TO_NODE,
                        peer.nodeId()));
    try (var upload = upload(peer, file);
        PeerResponse response =
            client.post(uri, upload, upload.size(), () -> isWorthWaiting(upload), longest)) {
      if (response.status() != 200) {
        throw new IOException(peer + ": " + response.status() + " " + response.error());
      }
      checkStored(peer, response);
    }
  }

  /** A file on its way; without its list of batches to a store that would refuse it. */
  private FileUpload upload(StorePeer peer, Path path) throws IOException {
    ReadableFile file = filesystem.open(path);
    try {
      return peer.readsLists()
          ? new FileUpload(file)
          : new FileUpload(new SegmentWithoutBatches<>(file));
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Checks the body, not the status alone: the body is sent last, and only if everything is done.
   */
  private static void checkStored(StorePeer peer, PeerResponse response) throws IOException {
    byte[] answer = response.body().readNBytes(MAX_ANSWER_BYTES);
    String text = new String(answer, StandardCharsets.ISO_8859_1);
    if (!text.startsWith(ReplicaRoutes.STORED) || !text.endsWith("\n")) {
      throw new IOException(
          "%s: expected \"%sNAME\", found \"%s\""
              .formatted(peer, ReplicaRoutes.STORED, text.replaceAll("\\p{Cntrl}", "?")));
    }
  }

  private boolean isWorthWaiting(FileUpload upload) {
    Duration patience = stop.isStopping() ? STALL_AT_END : stall;
    return upload.sinceProgress().compareTo(patience) < 0;
  }

  /** Breaks off what is being sent. */
  @Override
  public void close() {
    client.close();
  }
}
