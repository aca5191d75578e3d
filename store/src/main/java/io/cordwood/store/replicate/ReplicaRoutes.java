package io.cordwood.store.replicate;

import io.cordwood.common.http.ApiParams;
import io.cordwood.common.http.ApiPaths;
import io.cordwood.common.http.server.ClientGoneException;
import io.cordwood.common.http.server.HttpError;
import io.cordwood.common.http.server.Params;
import io.cordwood.common.http.server.Request;
import io.cordwood.common.http.server.Response;
import io.cordwood.common.http.server.Routes;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.StopFlag;
import io.cordwood.store.StoreMetrics;
import io.cordwood.store.segment.Replica;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives replicas.
 *
 * <pre>
 *   POST /store/replicate?node=ID&amp;to_node=ID   the bytes of a whole store segment; who sends, and to whom
 *   200 "stored NAME\n"                       every checksum is right; file and folder are forced
 * </pre>
 *
 * <p>Anything else leaves no file, and is answered and counted by its {@link ReplicaRefusal}. The
 * bytes go to the disk as they come, so that memory does not depend on their number. The same
 * segment sent twice is stored twice under two names: readers drop the second one's batches, and
 * compaction makes one of both. For any thread.
 */
public final class ReplicaRoutes implements AutoCloseable {
  /** The longest segment that is received; the longest that is made is some 2 GiB. */
  static final long MAX_BYTES = 4L << 30;

  /** Most segments that are received at once. */
  static final int MAX_AT_ONCE = 16;

  /** The beginning of the answer. */
  static final String STORED = "stored ";

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaRoutes.class);

  /** How long a store that ends waits for those that are being received. */
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);

  private final String nodeId;
  private final StoreLog log;
  private final StoreMetrics metrics;
  private final StopFlag stop;
  private final Consumer<String> senders;
  private final Semaphore free = new Semaphore(MAX_AT_ONCE);
  private final AtomicLong announcedBytes = new AtomicLong();

  /**
   * @param nodeId of this store
   * @param senders is told the node id of each store that sends something, before that is stored
   */
  public ReplicaRoutes(
      String nodeId, StoreLog log, StoreMetrics metrics, StopFlag stop, Consumer<String> senders) {
    this.nodeId = nodeId;
    this.log = log;
    this.metrics = metrics;
    this.stop = stop;
    this.senders = senders;
    metrics.watchReplicas(() -> MAX_AT_ONCE - free.availablePermits());
  }

  public void addTo(Routes routes) {
    // The bound is looked at here, so that it is counted with the others.
    routes.post(ApiPaths.STORE_REPLICATE, Params.ANY, Long.MAX_VALUE, this::receive);
  }

  private void receive(Request request, Response response) throws IOException {
    String sender = request.requiredParam(ApiParams.NODE);
    if (sender.equals(nodeId)) {
      LOG.error("another store has this one's identity {}: is its data folder a copy?", nodeId);
      throw refusal(
          ReplicaRefusal.SAME_NODE,
          "node %s: expected another store's identity, found this one's own".formatted(sender));
    }
    request
        .misdirected(nodeId)
        .ifPresent(meant -> {
          throw refusal(ReplicaRefusal.OTHER_NODE, meant);
        });
    checkNotStopping();
    senders.accept(sender);
    long bytes = announced(request);
    if (!free.tryAcquire()) {
      throw refusal(
          ReplicaRefusal.BUSY, "%d replicas are being received, try later".formatted(MAX_AT_ONCE));
    }
    long all = announcedBytes.addAndGet(bytes);
    try {
      checkRoom(all);
      response.text(200, STORED + store(request, bytes, sender) + "\n");
    } finally {
      announcedBytes.addAndGet(-bytes);
      free.release();
    }
  }

  private long announced(Request request) {
    String text = request.header("content-length").orElse("");
    if (!text.matches("[0-9]{1,18}")) {
      throw refusal(ReplicaRefusal.NO_LENGTH, "content-length: expected, found none");
    }
    long bytes = Long.parseLong(text);
    if (bytes > MAX_BYTES) {
      throw refusal(
          ReplicaRefusal.TOO_LONG,
          "body: expected at most %d bytes, found %d".formatted(MAX_BYTES, bytes));
    }
    return bytes;
  }

  private void checkRoom(long bytes) {
    if (!log.folder().hasRoomFor(bytes)) {
      throw refusal(
          ReplicaRefusal.DISK_FULL, "the disk has no room for %d bytes more".formatted(bytes));
    }
  }

  /** Stores the body; the name that it got. */
  private String store(Request request, long bytes, String sender) throws IOException {
    try (Replica replica = log.newReplica()) {
      receive(request, bytes, replica);
      String name = log.publish(replica.flush()).info().name();
      metrics.replicaStored(bytes);
      return name;
    } catch (ClientGoneException e) {
      metrics.replicaRefused(ReplicaRefusal.CUT.label());
      throw e;
    } catch (CorruptException e) {
      LOG.warn("a replica of store {} is refused: {}", sender, e.getMessage());
      throw refusal(ReplicaRefusal.DAMAGED, "body: " + e.getMessage());
    } catch (IOException e) {
      LOG.error("a replica of store {} cannot be stored", sender, e);
      throw diskRefusal(e);
    }
  }

  private void receive(Request request, long bytes, Replica replica) throws IOException {
    var target = new ReplicaChannel(replica.file(), length -> checkGrowing(length, bytes));
    long found;
    try {
      found = request.transferBody(target);
    } catch (HttpError e) {
      if (e.status() == ReplicaRefusal.STALLED.status()) {
        metrics.replicaRefused(ReplicaRefusal.STALLED.label());
      }
      throw e;
    }
    checkGrowing(found, bytes);
    if (found != bytes) {
      throw refusal(
          ReplicaRefusal.CUT, "body: expected %d bytes, found %d".formatted(bytes, found));
    }
  }

  private void checkGrowing(long length, long announced) {
    checkNotStopping();
    if (length > announced) {
      throw refusal(
          ReplicaRefusal.TOO_LONG, "body: expected %d bytes, found more".formatted(announced));
    }
  }

  private void checkNotStopping() {
    if (stop.isStopping()) {
      throw refusal(ReplicaRefusal.STOPPING, "this store is stopping");
    }
  }

  private HttpError diskRefusal(IOException e) {
    return !log.folder().hasRoomFor(0)
        ? refusal(ReplicaRefusal.DISK_FULL, "the disk is full: " + e.getMessage())
        : refusal(ReplicaRefusal.DISK_ERROR, "the disk fails: " + e.getMessage());
  }

  private HttpError refusal(ReplicaRefusal why, String message) {
    metrics.replicaRefused(why.label());
    return new HttpError(why.status(), message);
  }

  /**
   * Waits a while for those that are being received, which break off with their next bytes; one
   * that comes to its end later is not kept, since the log is closed.
   */
  @Override
  public void close() {
    try {
      if (free.tryAcquire(MAX_AT_ONCE, CLOSE_GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        free.release(MAX_AT_ONCE);
      } else {
        LOG.warn("replicas that were still being received are given up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
